# Two commands are for everybody: `make demo` and `make test`. The rest is for developers.
# Every target that is there already takes under two seconds, except the tests and checks.

VENV := .venv
BIN := $(VENV)/bin
# The first of these that is Python 3.11 or newer makes the environment; say PYTHON=… for another.
PYTHON ?= python3.11 python3 python3.12 python3.13 python
# On Linux, plain torch from the package index brings gigabytes of CUDA. Where pip does not find a
# CPU build by itself, name an index of CPU builds: make setup TORCH_INDEX=URL
TORCH_INDEX ?=
TORCH := torch==2.13.0
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 CMAKE_BUILD_PARALLEL_LEVEL=$(CORES) $(BIN)/python -m pip install

INSTALLED := $(VENV)/.installed
DEMO := build/demo

.PHONY: help setup models system demo demo-again screenshots test fuzz check format lock wheel clean

help:
	@echo "make demo    set up, fetch the model, build a memory from the samples and question it"
	@echo "make test    set up and run every test, with the real model"
	@echo "make screenshots  a picture of every place in every look; PERCENT=200 for large text"
	@echo "make setup   only the environment and the model"
	@echo "make check   ruff and mypy"
	@echo "make fuzz    20,000 damaged exports of every format"

setup: $(INSTALLED) models

$(INSTALLED): requirements.lock pyproject.toml
	@python=""; for name in $(PYTHON); do \
	    if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        python="$$name"; break; fi; done; \
	if [ -z "$$python" ]; then \
	    echo "Python 3.11 or newer was not found. Install it, or say: make setup PYTHON=PATH" >&2; \
	    exit 1; fi; \
	[ -x $(BIN)/python ] || "$$python" -m venv $(VENV)
	@echo "Installing; llama.cpp is compiled for this machine, which takes some minutes once."
	$(PIP) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX) ,--constraint requirements.lock )$(TORCH)
	$(PIP) --no-deps --requirement requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# Asked each time, since the weights are outside the checkout and may be gone; it is quick.
models: $(INSTALLED)
	@$(BIN)/apexmem models pull

system: $(INSTALLED)
	@$(BIN)/python packaging/check_system_libraries.py

demo: setup system
	@$(BIN)/python packaging/demo.py $(DEMO)

demo-again:
	rm -rf $(DEMO)
	@$(MAKE) --no-print-directory demo

# Of the demo's memory, or of the one that VAULT names; without either, of the samples.
VAULT ?= $(DEMO)/demo.apexmem
PERCENT ?= 100
screenshots: setup system
	$(BIN)/apexmem $(if $(wildcard $(VAULT)),--vault $(VAULT)) screenshots build/screenshots \
	    --text-percent $(PERCENT)

# One worker a core; the real model wants them all, so its tests come after. PYTEST=… runs only those.
test: setup system
ifdef PYTEST
	$(BIN)/python -m pytest $(PYTEST)
else
	$(BIN)/python -m pytest --numprocesses $(CORES) --dist loadfile --ignore tests/live
	$(BIN)/python -m pytest tests/live
endif

# Damaged exports of every format, 20,000 unless FUZZ says another number; takes some minutes.
FUZZ ?= 20000
fuzz: $(INSTALLED)
	APEXMEM_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/importers/test_fuzz.py -q

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy packaging/reader/*.py

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(INSTALLED)
	$(BIN)/python packaging/write_lock.py

wheel: $(INSTALLED)
	$(BIN)/python -m pip wheel --no-deps --no-build-isolation --wheel-dir dist .

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
