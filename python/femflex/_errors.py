"""Exceptions of femflex: each says what was found and expected, where, and what to do."""


class FemflexError(Exception):
    """Base of every exception of femflex.

    code     short name for scripts that does not change, 'truncated', 'unknown-key', ...
    message  what was found and what was expected
    where    dict of file, line, column (1-based), byte (offset), record; None where not known
    fix      what to do about it, or None
    """

    def __init__(self, text, code="", message="", where=None, fix=None):
        super().__init__(text, code, message, where, fix)
        self.code = code
        self.message = message or text
        self.where = dict(where or {})
        self.fix = fix

    def __str__(self):
        return self.args[0]

    @property
    def file(self):
        """The file at fault, or None."""
        return self.where.get("file")

    @property
    def line(self):
        """Line in that file, 1-based, or None."""
        return self.where.get("line")

    @property
    def byte(self):
        """Offset from the start of that file, or None."""
        return self.where.get("byte")


class ParseError(FemflexError, ValueError):
    """A file breaks its own format."""


class ModelError(FemflexError, ValueError):
    """The numbers contradict physics or each other."""


class NumericalError(FemflexError, ArithmeticError):
    """An algorithm cannot compute the result."""


class UsageError(FemflexError, ValueError):
    """The request cannot be met: options, missing files, unwritable folders."""


class Cancelled(FemflexError):
    """The work was stopped on request."""


class FemflexWarning(UserWarning):
    """A warning of a reader or an algorithm; the work continues."""
