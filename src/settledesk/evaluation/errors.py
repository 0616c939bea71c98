"""What is wrong with an evaluation that cannot be started."""


class EvaluationError(ValueError):
    """An evaluation cannot be run as asked; the text says what to change."""


class ScenarioError(EvaluationError):
    """Scenario files cannot be used; the text lists every problem with its file and place."""
