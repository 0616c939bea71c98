"""One folder per technology; each implements ports."""
