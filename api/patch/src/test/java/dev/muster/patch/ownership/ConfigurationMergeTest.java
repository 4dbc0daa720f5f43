package dev.muster.patch.ownership;

import static dev.muster.patch.edit.Shapes.atomic;
import static dev.muster.patch.edit.Shapes.field;
import static dev.muster.patch.edit.Shapes.keyed;
import static dev.muster.patch.edit.Shapes.struct;
import static dev.muster.patch.edit.Tree.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.MalformedValueException;
import dev.muster.patch.edit.Shapes;
import dev.muster.schema.Scalar;
import dev.muster.schema.StructShape;
import org.junit.jupiter.api.Test;

class ConfigurationMergeTest {
  private static final StructShape SHAPE =
      struct(
          "Pod",
          field("labels", Shapes.STRINGS),
          field(
              "containers",
              keyed(
                  struct(
                      "Container",
                      field("name", Scalar.STRING),
                      field("image", Scalar.STRING),
                      field("command", atomic(Scalar.STRING))),
                  "name")));

  @Test
  void itemsAreMergedByTheirKeys() {
    assertThat(
            ConfigurationMerge.merge(
                SHAPE,
                object("{'labels':{'a':'1'},'containers':[{'name':'x','command':['sh']}]}"),
                object("{'labels':{'b':'2'},'containers':[{'name':'x','image':'i'}]}")))
        .isEqualTo(
            object(
                "{'labels':{'a':'1','b':'2'},"
                    + "'containers':[{'name':'x','command':['sh'],'image':'i'}]}"));
  }

  @Test
  void whatIsOneValueCannotBeSetInParts() {
    assertThatThrownBy(
            () ->
                ConfigurationMerge.merge(
                    SHAPE, object("{}"), object("{'containers':[{'name':'x','command':['sh']}]}")))
        .isInstanceOf(MalformedValueException.class)
        .hasMessage(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs:"
                + " .containers[0].command");
  }

  @Test
  void fieldsMustBeKnown() {
    assertThatThrownBy(
            () -> ConfigurationMerge.merge(SHAPE, object("{}"), object("{'nonsense':'x'}")))
        .hasMessage(
            "failed to convert patch object to typed object: .nonsense: field not declared in"
                + " schema");
  }
}
