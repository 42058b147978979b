# Types of the package; those of the compiled classes are in _core.pyi.
from os import PathLike
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from numpy.typing import ArrayLike, NDArray
import numpy as np

from ._core import Contents as Contents
from ._core import FeModel as FeModel
from ._core import FlexBody as FlexBody
from ._core import Matrix, Path
from ._core import ModeSet as ModeSet
from ._core import Result as Result
from ._core import __version__ as __version__
from ._core import body_formats as body_formats
from ._core import format_number_list as format_number_list
from ._core import mac as mac
from ._core import parse_number_list as parse_number_list
from ._core import unit_factors as unit_factors
from ._core import unit_names as unit_names

class FemflexError(Exception):
    code: str
    message: str
    where: Dict[str, Any]
    fix: Optional[str]
    @property
    def file(self) -> Optional[str]: ...
    @property
    def line(self) -> Optional[int]: ...
    @property
    def byte(self) -> Optional[int]: ...

Error = FemflexError

class ParseError(FemflexError, ValueError): ...
class ModelError(FemflexError, ValueError): ...
class NumericalError(FemflexError, ArithmeticError): ...
class UsageError(FemflexError, ValueError): ...
class Cancelled(FemflexError): ...
class FemflexWarning(UserWarning): ...

class ProgressBar:
    def __init__(self, stream: Any = ..., width: int = ..., after: float = ...) -> None: ...
    def __call__(self, what: str, done: float, total: Optional[float], unit: str) -> None: ...
    def close(self) -> None: ...

class Table(Dict[str, NDArray[Any]]):
    parameters: List[str]
    measures: List[str]
    failures: Dict[int, str]
    def array(self, names: Optional[Sequence[str]] = ...) -> NDArray[np.float64]: ...
    def to_dataframe(self) -> Any: ...

class Gradient:
    parameters: List[str]
    measures: List[str]
    at: NDArray[np.float64]
    values: NDArray[np.float64]
    slopes: NDArray[np.float64]
    reasons: Dict[Tuple[str, str], str]
    def to_dataframe(self) -> Any: ...

class Report(Dict[str, Any]):
    verb: str
    exit_code: int
    text: str
    warnings: List[Dict[str, Any]]
    outputs: List[str]
    made: Dict[str, Any]
    @property
    def passed(self) -> bool: ...
    @property
    def model(self) -> FeModel: ...
    @property
    def body(self) -> FlexBody: ...
    @property
    def result(self) -> Result: ...
    @property
    def table(self) -> Table: ...
    @property
    def gradient(self) -> Gradient: ...
    def column(self, table: str, key: str) -> NDArray[np.float64]: ...

Input = Union[str, "PathLike[str]", FeModel, FlexBody, Result, Report, Mapping[str, Any]]
Value = Union[Input, float, Sequence[Any], NDArray[Any]]
Progress = Union[None, bool, Callable[[str, float, Optional[float], str], object]]

def read_model(path: Path, *, units: Optional[str] = ..., progress: Progress = ...) -> FeModel: ...
def read_body(path: Path, *, units: Optional[str] = ..., progress: Progress = ...) -> FlexBody: ...
def read_result(path: Path) -> Result: ...
def read_contents(
    path: Path, *, format: Optional[str] = ..., progress: Progress = ...
) -> Contents: ...
class Page:
    text: str
    height: int
    def write(self, path: Path) -> None: ...

def show(
    *values: Union[Path, FlexBody, FeModel],
    flex: Union[None, Path, Sequence[Path]] = ...,
    height: int = ...,
) -> Page: ...
def polynomial(
    lattice: Union[Path, Mapping[str, Any]], *, dimension: Optional[int] = ...
) -> Dict[str, Any]: ...
def read_matrices(path: Path) -> Dict[str, Any]: ...
def write_op4(path: Path, matrices: Mapping[str, Matrix], *, ascii: bool = ...) -> None: ...

# Verbs of the command line, written below this line by femflex._stubs.
