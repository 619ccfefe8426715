// The page of a live view, and what it asks for.
#pragma once

#include "view/live_run.h"
#include "view/loopback_server.h"

namespace trammel {

/// Answers the page's requests:
///
///     GET  ""          the page
///     GET  progress    LiveRun::progress
///     GET  model       LiveRun::content
///     GET  rows?run=R&from=K   rows number K on of run R, doubles row by row; the headers Trammel-Stride, -First and
///                      -Count tell which. 409: another run goes on
///     GET  finished    {content, blocks} of the results' page
///     POST run, stop, again?on=1
///
/// Everything else is 404.
WebAnswer live_answer(LiveRun& run, const WebRequest& request);

}  // namespace trammel
