package dev.muster.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The generator itself is on the class path of the sample for Java Operator SDK. */
class DefinitionGeneratorTest {
  @Test
  void withoutTheGeneratorThereIsNoDefinition() {
    assertThat(DefinitionGenerator.definition(TestClusterTest.Gadget.class, "gadgets.example.com"))
        .isEmpty();
  }
}
