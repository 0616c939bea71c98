"""Side-by-side measurements; nothing here is part of the package."""
