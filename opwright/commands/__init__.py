"""The commands of `opwright`, one module each: `add_arguments` and `run`."""
