// Every request method the server knows, on one page. Each handler answers the
// request, now or in a job, or throws a `refusal`.
#pragma once

#include "request.hpp"

namespace demo {

struct server;

// lifecycle.cpp
void on_initialize(server& srv, const request& req);
void on_discover(server& srv, const request& req);
void on_ping(server& srv, const request& req);
void on_set_level(server& srv, const request& req);

// tools.cpp
void on_tools_list(server& srv, const request& req);
void on_tools_call(server& srv, const request& req);

// resources.cpp
void on_resources_list(server& srv, const request& req);
void on_templates_list(server& srv, const request& req);
void on_resources_read(server& srv, const request& req);

// subscriptions.cpp
void on_subscribe(server& srv, const request& req);
void on_unsubscribe(server& srv, const request& req);
void on_listen(server& srv, const request& req);

// prompts.cpp
void on_prompts_list(server& srv, const request& req);
void on_prompts_get(server& srv, const request& req);

// completion.cpp
void on_complete(server& srv, const request& req);

} // namespace demo
