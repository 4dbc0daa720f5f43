package dev.muster.validation.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassRulesTest {
  private static final Verdicts CLASS = new Verdicts(StorageClassRules.STRATEGY, false);
  private static final Verdicts ATTRIBUTES = new Verdicts(AttributesClassRules.STRATEGY, false);

  private static String storage(String members) {
    return "{'provisioner':'a.example/p'" + members + "}";
  }

  @Test
  void volumesAreDeletedAndBoundAtOnceUnlessTheClassSaysOtherwise() {
    var type = CLASS.prepared(storage(""));
    assertThat(type.string("reclaimPolicy")).isEqualTo("Delete");
    assertThat(type.string("volumeBindingMode")).isEqualTo("Immediate");
    assertThat(CLASS.create(storage(",'reclaimPolicy':''"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | provisioner: Required value",
        "{'provisioner':'a/b/c'} | provisioner: Invalid value: \"a/b/c\": a valid label key must"
            + " consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
            + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
            + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS"
            + " subdomain prefix and '/' (e.g. 'example.com/MyName')",
        "{'provisioner':'p','reclaimPolicy':'Recycle'} | reclaimPolicy: Unsupported value:"
            + " \"Recycle\": supported values: \"Delete\", \"Retain\"",
        "{'provisioner':'p','volumeBindingMode':'Later'} | volumeBindingMode: Unsupported value:"
            + " \"Later\": supported values: \"Immediate\", \"WaitForFirstConsumer\"",
        "{'provisioner':'p','allowedTopologies':[{}]} | allowedTopologies[0].matchLabelExpressions:"
            + " Duplicate value: \"\"",
        "{'provisioner':'p','parameters':{'':'x'}} | parameters: Invalid value: \"\": field can not"
            + " be empty.",
      })
  void aClassSaysWhoMakesTheStorageAndHow(String type, String error) {
    assertThat(CLASS.create(type)).containsExactly(error);
  }

  @Test
  void parametersHaveAnEnd() {
    var many = new StringBuilder();
    for (int i = 0; i < 513; i++) {
      many.append(i == 0 ? "" : ",").append("'k").append(i).append("':''");
    }
    assertThat(CLASS.create(storage(",'parameters':{" + many + "}")))
        .containsExactly("parameters: Too long: may not be more than 512 bytes");
    assertThat(CLASS.create(storage(",'parameters':{'k':'" + "v".repeat(256 * 1024) + "'}")))
        .containsExactly("parameters: Too long: may not be more than 262144 bytes");
  }

  @Test
  void topologiesDiffer() {
    assertThat(
            CLASS.create(
                storage(
                    ",'allowedTopologies':[{'matchLabelExpressions':[{'key':'z','values':['a','a']},"
                        + "{'key':'z'}]}]")))
        .containsExactly(
            "allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: \"a\"",
            "allowedTopologies[0].matchLabelExpressions[1].values: Required value",
            "allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: \"z\"");
    var term = "{'matchLabelExpressions':[{'key':'z','values':['a']}]}";
    assertThat(CLASS.create(storage(",'allowedTopologies':[" + term + "," + term + "]")))
        .containsExactly("allowedTopologies[1].matchLabelExpressions: Duplicate value: \"\"");
  }

  @Test
  void oldLabelsOfNodesAreDeprecated() {
    assertThat(
            CLASS.warnings(
                storage(
                    ",'allowedTopologies':[{'matchLabelExpressions':"
                        + "[{'key':'failure-domain.beta.kubernetes.io/zone','values':['a']}]}]")))
        .containsExactly(
            "allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use"
                + " \"topology.kubernetes.io/zone\" instead");
  }

  @Test
  void whatAClassMeansStays() {
    assertThat(
            CLASS.update(
                storage(""),
                "{'provisioner':'q','reclaimPolicy':'Retain','volumeBindingMode':'WaitForFirstConsumer','parameters':{'a':'b'},'allowVolumeExpansion':true}"))
        .containsExactly(
            "parameters: Invalid value: {\"a\":\"b\"}: field is immutable",
            "provisioner: Invalid value: \"q\": field is immutable",
            "reclaimPolicy: Invalid value: \"Retain\": field is immutable",
            "volumeBindingMode: Invalid value: \"WaitForFirstConsumer\": field is immutable");
    assertThat(CLASS.update(storage(""), storage(",'allowVolumeExpansion':true"))).isEmpty();
  }

  @Test
  void attributesHaveADriverAndParameters() {
    assertThat(ATTRIBUTES.create("{}"))
        .containsExactly(
            "driverName: Required value",
            "parameters: Required value: must contain at least one key/value pair");
  }

  @Test
  void attributesStay() {
    assertThat(
            ATTRIBUTES.update(
                "{'driverName':'d','parameters':{'a':'1'}}",
                "{'driverName':'e','parameters':{'a':'2'}}"))
        .containsExactly(
            "driverName: Forbidden: updates to driverName are forbidden.",
            "parameters: Forbidden: updates to parameters are forbidden.");
  }
}
