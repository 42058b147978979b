# Types of the package; those of the compiled classes are in _core.pyi.
from os import PathLike
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

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

class Report(Dict[str, Any]):
    verb: str
    exit_code: int
    text: str
    warnings: List[Dict[str, Any]]
    outputs: List[str]
    @property
    def passed(self) -> bool: ...
    @property
    def model(self) -> FeModel: ...
    @property
    def body(self) -> FlexBody: ...
    @property
    def result(self) -> Result: ...
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
def read_matrices(path: Path) -> Dict[str, Any]: ...
def write_op4(path: Path, matrices: Mapping[str, Matrix], *, ascii: bool = ...) -> None: ...

# Verbs of the command line, made by femflex._stubs.
def info(
    *inputs: Input,
    samples: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def import_(
    *inputs: Input,
    output: Optional[Value] = ...,
    stiffness: Optional[Value] = ...,
    mass: Optional[Value] = ...,
    damping: Optional[Value] = ...,
    modes: Optional[Value] = ...,
    dof_order: Optional[Value] = ...,
    interface: Optional[Value] = ...,
    name: Optional[Value] = ...,
    force: Optional[bool] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def check(
    *inputs: Input,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def modes(
    *inputs: Input,
    output: Optional[Value] = ...,
    normal: Optional[Value] = ...,
    fmax: Optional[Value] = ...,
    fixed: Optional[Value] = ...,
    constraint: Optional[bool] = ...,
    sense: Optional[Value] = ...,
    unit_force: Optional[Value] = ...,
    static: Optional[bool] = ...,
    attachment: Optional[bool] = ...,
    residual: Optional[bool] = ...,
    inertia_relief: Optional[bool] = ...,
    modal_truncation: Optional[bool] = ...,
    krylov: Optional[Value] = ...,
    freedoms: Optional[Value] = ...,
    backend: Optional[Value] = ...,
    shift: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def reduce(
    *inputs: Input,
    output: Optional[Value] = ...,
    method: Optional[Value] = ...,
    select: Optional[Value] = ...,
    orthogonalise: Optional[bool] = ...,
    scale: Optional[bool] = ...,
    reject_below: Optional[Value] = ...,
    reject_above: Optional[Value] = ...,
    drop_rigid: Optional[bool] = ...,
    damping: Optional[Value] = ...,
    normal: Optional[Value] = ...,
    fmax: Optional[Value] = ...,
    tolerance: Optional[Value] = ...,
    band: Optional[Value] = ...,
    backend: Optional[Value] = ...,
    name: Optional[Value] = ...,
    report: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def convert(
    *inputs: Input,
    format: Optional[Value] = ...,
    no_sidecar: Optional[bool] = ...,
    mbdyn_invariants: Optional[bool] = ...,
    deflate: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def transform(
    *inputs: Input,
    output: Optional[Value] = ...,
    modes: Optional[Value] = ...,
    nodes: Optional[Value] = ...,
    mirror: Optional[Value] = ...,
    rotate: Optional[Value] = ...,
    move: Optional[Value] = ...,
    name: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def validate(
    *inputs: Input,
    against: Optional[Value] = ...,
    modes: Optional[Value] = ...,
    band: Optional[Value] = ...,
    frequency_limit: Optional[Value] = ...,
    mac_limit: Optional[Value] = ...,
    static_limit: Optional[Value] = ...,
    frf_limit: Optional[Value] = ...,
    report: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def simulate(
    *inputs: Input,
    output: Optional[Value] = ...,
    csv: Optional[Value] = ...,
    integrator: Optional[Value] = ...,
    end: Optional[Value] = ...,
    step: Optional[Value] = ...,
    output_step: Optional[Value] = ...,
    report: Optional[Value] = ...,
    set: Union[None, Value, Mapping[str, Any]] = ...,
    variant: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def linearise(
    *inputs: Input,
    up_to: Optional[Value] = ...,
    no_statics: Optional[bool] = ...,
    set: Union[None, Value, Mapping[str, Any]] = ...,
    variant: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def lattice(
    *inputs: Input,
    output: Optional[Value] = ...,
    csv: Optional[Value] = ...,
    integrator: Optional[Value] = ...,
    dt: Optional[Value] = ...,
    end: Optional[Value] = ...,
    output_step: Optional[Value] = ...,
    friction: Optional[Value] = ...,
    nodes: Optional[Value] = ...,
    statics: Optional[bool] = ...,
    stay_on_branch: Optional[bool] = ...,
    load_factor: Optional[Value] = ...,
    load_steps: Optional[Value] = ...,
    buckling: Optional[bool] = ...,
    branch: Optional[Value] = ...,
    largest_factor: Optional[Value] = ...,
    to_fe: Optional[Value] = ...,
    keep_held: Optional[bool] = ...,
    save_state: Optional[Value] = ...,
    resume: Optional[Value] = ...,
    initial: Optional[Value] = ...,
    dimension: Optional[Value] = ...,
    rest_from_start: Optional[bool] = ...,
    write: Optional[Value] = ...,
    rtol: Optional[Value] = ...,
    atol: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def back_transform(
    *inputs: Input,
    flex: Optional[Value] = ...,
    body: Optional[Value] = ...,
    nodes: Optional[Value] = ...,
    route: Optional[Value] = ...,
    output: Optional[Value] = ...,
    csv: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def compare(
    *inputs: Input,
    channels: Optional[Value] = ...,
    below: Optional[Value] = ...,
    tol: Optional[Value] = ...,
    csv: Optional[Value] = ...,
    report: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def study(
    *inputs: Input,
    reference: Optional[Value] = ...,
    variants: Optional[Value] = ...,
    channels: Optional[Value] = ...,
    below: Optional[Value] = ...,
    tol: Optional[Value] = ...,
    folder: Optional[Value] = ...,
    end: Optional[Value] = ...,
    integrator: Optional[Value] = ...,
    set: Union[None, Value, Mapping[str, Any]] = ...,
    report: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def view(
    *inputs: Input,
    output: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def new(
    *inputs: Input,
    output: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def assemble(
    *inputs: Input,
    part: Optional[Value] = ...,
    fixed: Optional[Value] = ...,
    report: Optional[bool] = ...,
    output: Optional[Value] = ...,
    csv: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
def serve(
    *inputs: Input,
    port: Optional[Value] = ...,
    host: Optional[Value] = ...,
    port_file: Optional[Value] = ...,
    agent_timeout: Optional[Value] = ...,
    request_timeout: Optional[Value] = ...,
    max_body: Optional[Value] = ...,
    quiet: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    units: Optional[Value] = ...,
    reproducible: Optional[bool] = ...,
    progress: Progress = ...,
) -> Report: ...
