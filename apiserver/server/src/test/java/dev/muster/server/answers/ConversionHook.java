package dev.muster.server.answers;

import com.sun.net.httpserver.HttpHandler;
import dev.muster.testing.StubServer;

/**
 * A conversion webhook on the loopback interface, and a definition of widgets that names it: {@code
 * color} of v1, which is stored, is {@code paint} in v2.
 */
record ConversionHook(StubServer server) implements AutoCloseable {
  static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  static ConversionHook start(HttpHandler handler) {
    return new ConversionHook(new StubServer(handler));
  }

  String definition() {
    return
"""
{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
 "metadata":{"name":"widgets.example.com"},
 "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
  "conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],
    "clientConfig":%s}},
  "versions":[%s,%s]}}
"""
        .formatted(
            server.client("/convert"), version("v1", true, "color"), version("v2", false, "paint"));
  }

  private static String version(String name, boolean stored, String field) {
    return
"""
{"name":"%1$s","served":true,"storage":%2$s,"selectableFields":[{"jsonPath":".spec.%3$s"}],
 "schema":{"openAPIV3Schema":{"type":"object","properties":{
   "spec":{"type":"object","properties":{"%3$s":{"type":"string"}}}}}}}
"""
        .formatted(name, stored, field);
  }

  static String widget(String version, String name, String field, String color) {
    return "{\"apiVersion\":\"example.com/%s\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"%s\":\"%s\"}}"
        .formatted(version, name, field, color);
  }

  @Override
  public void close() {
    server.close();
  }
}
