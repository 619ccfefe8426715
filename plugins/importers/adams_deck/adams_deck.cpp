// Plugin: importer of decks in the language of Adams' solver.
#include "adams.h"

TRAMMEL_PLUGIN("adams_deck", "1.0.0", "BSD-3-Clause",
               component<trammel::adams_deck::AdamsImporter>(Host::any, "adams", "Decks of Adams' solver (.adm).",
                                                             "Adams Solver, statements and functions"));
