"""The parts of which `TextCorpus` is made."""
