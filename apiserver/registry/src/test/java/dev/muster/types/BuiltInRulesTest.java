package dev.muster.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.muster.registry.builtin.BuiltInTypes;
import org.junit.jupiter.api.Test;

/** Rules are looked up when a type is first used: each type has some, and keeps them. */
class BuiltInRulesTest {
  @Test
  void everyTypeHasRulesAndColumns() {
    for (var type : BuiltInTypes.all()) {
      assertThatCode(type::strategy).as("rules of %s", type).doesNotThrowAnyException();
      assertThat(type.strategy()).as("rules of %s", type).isSameAs(type.strategy());
      assertThat(type.form()).as("form of %s", type).isSameAs(type.form());
      assertThat(type.storedForm()).as("stored form of %s", type).isSameAs(type.storedForm());
      assertThat(type.table()).as("columns of %s", type).isSameAs(type.table());
    }
  }

  @Test
  void formsAreThoseOfTheVersion() {
    for (var type : BuiltInTypes.all()) {
      assertThat(type.form().shape()).as("%s", type).isSameAs(type.shape());
      if (type.isStoredVersion()) {
        assertThat(type.storedForm()).as("%s", type).isSameAs(type.form());
      }
    }
  }
}
