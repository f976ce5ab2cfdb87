# make demo                      see it work: trains four models, prints a table, writes demo.png
# make test                      set up and run the tests; EXTRAS=scatter,grammars,... adds extras
# make lint, make docs           what .ci/run runs besides
# TORCH="torch==2.9.1" make ...  another torch than the one in .ci/constraints.txt

PYTHON ?= python3
TORCH ?= $(shell grep '^torch==' .ci/constraints.txt)
EXTRAS ?=
BIN := .venv/bin
comma := ,
# One stamp for each torch and set of extras: installing is done again when the project or a pin
# changes. .venv holds one torch, so installing one takes the stamps of the others away.
stamps := .venv/installed-$(subst =,,$(TORCH))-
stamp = $(stamps)$(subst $(comma),-,$(1))
PINS := pyproject.toml .ci/constraints.txt .ci/install

.PHONY: demo test lint docs

demo: $(call stamp,viz)
	$(BIN)/python examples/01_quickstart.py

test: $(call stamp,test$(if $(EXTRAS),$(comma)$(EXTRAS)))
	$(BIN)/python -m pytest $(PYTEST_OPTIONS)

lint: $(call stamp,lint)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(call stamp,docs)
	$(BIN)/mkdocs build --strict --config-file docs/mkdocs.yml --site-dir ../site

$(stamps)%: $(PINS)
	rm -f '$@' $(patsubst %,'%',$(filter-out $(stamps)%,$(wildcard .venv/installed-*)))
	PYTHON="$(PYTHON)" TORCH="$(TORCH)" sh .ci/install "$(subst -,$(comma),$*)"
	touch '$@'
