"""From a table of commands to a tool package's launcher.

    from tool_package_sdk import Arguments, Tools

    tools = Tools()

    class Greet(Arguments):
        name: str

    @tools.command(description="Greets one person by name.")
    def greet(args: Greet) -> dict:
        return {"greeting": f"Hello, {args.name}"}

    def main() -> None:
        tools.main()
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError

__all__ = ["Arguments", "NeedsAction", "Retryable", "ToolError", "Tools"]


class Arguments(BaseModel):
    """Base of a command's arguments: unknown names are refused and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ToolError(Exception):
    """Failed, and calling again will not help: exit code 1. The text is for the model that called."""

    exit_code = 1


class Retryable(ToolError):
    """Calling again may work, with a corrected argument or a little later: exit code 2."""

    exit_code = 2


class NeedsAction(ToolError):
    """A person must do something first (a credential, a permission): exit code 3. Name exactly what."""

    exit_code = 3


class Tools:
    """The commands of one package. `main()` answers one start of the launcher and ends the process."""

    def __init__(self) -> None:
        self._commands: dict[str, tuple[type[BaseModel], Callable[[Any], Any], dict[str, Any]]] = {}

    def command(
        self,
        *,
        name: str | None = None,
        description: str | None = None,
        triggers: Sequence[str] = (),
        examples: Sequence[dict[str, Any]] = (),
        returns: dict[str, Any] | None = None,
        errors: Sequence[dict[str, str]] = (),
        produces: Sequence[str] = (),
    ) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
        """Adds a function of one pydantic model. Its name and docstring stand in for what is not given."""

        def add(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
            command = name or function.__name__
            hints = {key: hint for key, hint in get_type_hints(function).items() if key != "return"}
            models = [hint for hint in hints.values() if isinstance(hint, type) and issubclass(hint, BaseModel)]
            if len(hints) != 1 or len(models) != 1:
                raise TypeError(f"{command} must take one argument, annotated with a pydantic model")
            if command in self._commands:
                raise TypeError(f"the command {command} is defined twice")
            text = (description or function.__doc__ or "").strip()
            if not text:
                raise TypeError(f"{command} needs a description")
            about: dict[str, Any] = {"name": command, "description": text}
            optional = {
                "triggers": list(triggers),
                "examples": list(examples),
                "returns": returns,
                "errors": list(errors),
                "produces": list(produces),
            }
            about |= {key: value for key, value in optional.items() if value}
            self._commands[command] = (models[0], function, about)
            return function

        return add

    def main(self, argv: Sequence[str] | None = None) -> NoReturn:
        text, exit_code = self.answer(sys.argv[1:] if argv is None else argv)
        stream = sys.stdout if exit_code == 0 else sys.stderr
        if text:
            stream.buffer.write(f"{text}\n".encode("utf-8", "replace"))
            stream.buffer.flush()
        sys.exit(exit_code)

    def answer(self, argv: Sequence[str]) -> tuple[str, int]:
        """What a start would print (on stdout when it ends with 0, else on stderr) and how it would end."""
        if not argv:
            listing = [{key: about[key] for key in ("name", "description")} for _, _, about in self._commands.values()]
            return _dump(listing), 0
        if argv[0] not in self._commands:
            return f"unknown command: {argv[0]}", 2
        model, function, about = self._commands[argv[0]]
        if len(argv) == 1:
            return _dump({**about, "params_json_schema": model.model_json_schema()}), 0
        try:
            given = sys.stdin.buffer.read() if argv[1] == "-" else argv[1]
            result = function(_validate(argv[0], model, given))
            return (result if isinstance(result, str) else "" if result is None else _dump(result)), 0
        except ToolError as error:
            return str(error), error.exit_code
        except Exception as error:  # noqa: BLE001 - whatever a command throws is its failure, told in one line
            return f"{type(error).__name__}: {error}", 1


def _validate(command: str, model: type[BaseModel], given: str | bytes) -> BaseModel:
    try:
        return model.model_validate_json(given)
    except ValidationError as error:
        faults = [
            f"- /{'/'.join(str(part) for part in fault['loc'])} {fault['msg']}"
            for fault in error.errors(include_url=False, include_context=False, include_input=False)[:10]
        ]
        raise Retryable("\n".join([f"{command}: the arguments are not valid.", *faults])) from error


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} cannot be printed as JSON")
