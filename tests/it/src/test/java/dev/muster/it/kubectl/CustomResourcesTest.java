package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.KubectlTest;
import java.nio.file.Path;

/** Resources that somebody defines, with everything kubectl offers for those it knows. */
class CustomResourcesTest extends KubectlTests {
  private static String definition(String plural, String kind, String shortName, String size) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: %1$s.example.com}
    spec:
      group: example.com
      scope: Namespaced
      names: {plural: %1$s, kind: %2$s, shortNames: [%4$s]}
      versions:
      - name: v1
        served: true
        storage: true
        subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
        additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
        schema:
          openAPIV3Schema:
            type: object
            description: Something that holds fruit.
            properties:
              spec:
                type: object
                description: What is wanted.
                required: [size]
                properties:
                  size: {type: integer, description: %3$s}
                  kinds:
                    type: array
                    items:
                      type: object
                      properties:
                        color: {type: string, enum: [red, green], description: How it looks.}
              status: {type: object, properties: {size: {type: integer}}}
    """
        .formatted(plural, kind, size, shortName);
  }

  /** By the newer of the schemas that the server publishes. */
  @KubectlTest(from = "1.27")
  void explainsFieldsWithTheirDescriptions(Path program) {
    var kubectl = session(program);
    kubectl.runWith(definition("baskets", "Basket", "bk", "How many fit."), "create", "-f", "-");
    assertThat(kubectl.run("explain", "baskets"))
        .contains("GROUP:      example.com", "KIND:       Basket", "VERSION:    v1")
        .contains("Something that holds fruit.", "What is wanted.");
    assertThat(kubectl.run("explain", "bk.spec"))
        .contains("size\t<integer> -required-", "How many fit.");
    assertThat(kubectl.run("explain", "baskets.spec.kinds.color"))
        .contains("<string>", "How it looks.");
    assertThat(kubectl.run("explain", "baskets", "--recursive"))
        .contains("kinds\t<[]Object>", "color\t<string>", "metadata\t<ObjectMeta>");
    kubectl.runWith(
        definition("baskets", "Basket", "bk", "How many there are."), "apply", "-f", "-");
    assertThat(kubectl.run("explain", "baskets.spec.size")).contains("How many there are.");
    kubectl.run("delete", "crd", "baskets.example.com");
    assertThat(kubectl.fail("explain", "baskets")).contains("baskets");
  }

  @KubectlTest
  void worksLikeABuiltInResource(Path program) {
    var kubectl = session(program);
    kubectl.runWith(definition("crates", "Crate", "cr", "How many fit."), "create", "-f", "-");
    var crate =
        "---\n{apiVersion: example.com/v1, kind: Crate, metadata: {name: c}, spec: {size: %s}}";
    kubectl.runWith(crate.formatted("3"), "create", "-f", "-");
    assertThat(kubectl.run("get", "cr").lines()).element(0).asString().matches("NAME +SIZE");
    assertThat(kubectl.run("get", "crate.example.com", "c").lines())
        .element(1)
        .asString()
        .matches("c +3");
    kubectl.run("scale", "crate", "c", "--replicas=5");
    assertThat(kubectl.stored("crate/c", "{.spec.size}")).isEqualTo("5");
    assertThat(kubectl.failWith(crate.formatted("x"), "apply", "-f", "-")).contains("spec.size");
    kubectl.run("label", "crate", "c", "a=b");
    assertThat(kubectl.run("get", "crates", "-l", "a=b", "-o", "name"))
        .isEqualTo("crate.example.com/c\n");
    kubectl.run("delete", "crd", "crates.example.com");
    assertThat(kubectl.fail("get", "crates")).contains("crates");
  }
}
