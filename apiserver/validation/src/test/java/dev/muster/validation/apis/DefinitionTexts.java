package dev.muster.validation.apis;

import dev.muster.validation.core.Verdicts;

/** Definitions of custom resources as JSON with single quotes, and what becomes of them. */
final class DefinitionTexts {
  static final Verdicts DEFINITION = new Verdicts(DefinitionRules.STRATEGY, false);
  static final String OBJECT = "{'type':'object'}";

  private DefinitionTexts() {}

  static String definition(String versions, String rest) {
    return "{'metadata':{'name':'pears.example.com'},'spec':{'group':'example.com',"
        + "'scope':'Namespaced','names':{'plural':'pears','kind':'Pear'},'versions':["
        + versions
        + "]"
        + rest
        + "}}";
  }

  static String version(String name, boolean storage, String schema, String rest) {
    return "{'name':'"
        + name
        + "','served':true,'storage':"
        + storage
        + ",'schema':{'openAPIV3Schema':"
        + schema
        + "}"
        + rest
        + "}";
  }

  static String schema(String schema) {
    return definition(version("v1", true, schema, ""), "");
  }

  static String property(String schema) {
    return schema("{'type':'object','properties':{'a':" + schema + "}}");
  }

  static String ruled(String type, String rule, String rest) {
    return "{'type':"
        + type
        + ",'x-kubernetes-validations':[{'rule':\""
        + rule.replace("'", "\\u0027")
        + "\""
        + rest
        + "}]}";
  }

  static String costly(String type, String rule) {
    return property("{" + type + ",'x-kubernetes-validations':[{'rule':\"" + rule + "\"}]}");
  }
}
