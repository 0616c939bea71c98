"""What is wrong with a pack, all of it at once."""


class PackError(ValueError):
    """A pack cannot be used; the message names the file and what to do."""


class MissingPackError(PackError):
    """There is no pack where one was named."""
