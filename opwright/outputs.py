"""The outputs of a call."""

from .codegen.dtypes import Array


class Outputs(dict[str, Array]):
    """The outputs by the document's names, in its order; `outputs.y` is `outputs["y"]`."""

    def __getattr__(self, name: str) -> Array:
        """Return an output.

        Raises:
            AttributeError: the operator has no such output.
        """
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no output '{name}'; outputs: {', '.join(self)}") from None
