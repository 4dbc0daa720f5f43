package dev.muster.cel.run;

import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelOptional;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.StructValue;
import dev.muster.cel.value.ValueText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps that build lists, maps and structs. */
final class Literals {
  private static final long LIST_COST = 10;
  private static final long MAP_COST = 30;
  private static final long STRUCT_COST = 40;

  private Literals() {}

  record Entry(Step key, Step value, boolean isOptional) {

    /** The value, or null when an optional entry is absent. */
    private @Nullable Object evaluate(Frame frame, Object name) {
      var evaluated = value.evaluate(frame);
      if (!isOptional) {
        return evaluated;
      }
      if (evaluated instanceof CelOptional optional) {
        return optional.value();
      }
      throw new EvaluationException(
          "cannot initialize optional entry '"
              + ValueText.plain(name)
              + "' from non-optional value "
              + ValueText.plain(evaluated));
    }
  }

  record ListLiteral(List<Step> elements, Set<Integer> optional) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      var items = new ArrayList<>(elements.size());
      for (int i = 0; i < elements.size(); i++) {
        var item = elements.get(i).evaluate(frame);
        if (!optional.contains(i)) {
          items.add(item);
        } else if (!(item instanceof CelOptional element)) {
          throw new EvaluationException(
              "cannot initialize optional list element from non-optional value "
                  + ValueText.plain(item));
        } else if (element.value() != null) {
          items.add(element.value());
        }
      }
      frame.charge(LIST_COST);
      return CelList.of(items);
    }
  }

  record MapLiteral(List<Entry> entries) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      var made = new LinkedHashMap<Object, Object>();
      for (var entry : entries) {
        var key = entry.key().evaluate(frame);
        switch (key) {
          case String ignored -> {}
          case Boolean ignored -> {}
          case Long ignored -> {}
          case CelUint ignored -> {}
          default -> throw EvaluationException.noSuchOverload();
        }
        var value = entry.evaluate(frame, key);
        if (value != null) {
          made.put(key, value);
        }
      }
      frame.charge(MAP_COST);
      return CelMap.of(made);
    }
  }

  record StructLiteral(String type, List<Entry> entries) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      Map<Object, Object> fields = new LinkedHashMap<>();
      for (var entry : entries) {
        var name = entry.key().evaluate(frame);
        var value = entry.evaluate(frame, name);
        if (value != null) {
          fields.put(name, value);
        }
      }
      frame.charge(STRUCT_COST);
      return new StructValue(type, fields);
    }
  }
}
