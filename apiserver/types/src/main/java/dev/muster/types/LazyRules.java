package dev.muster.types;

import dev.muster.schema.StructShape;
import dev.muster.schema.read.ObjectForm;
import dev.muster.types.table.TableSpec;
import org.jspecify.annotations.Nullable;

/**
 * The strategy, forms and table columns of one type, looked up on first use. Thread-safe:
 * concurrent first uses find the same values.
 */
final class LazyRules {
  private record Found(Strategy strategy, ObjectForm form, ObjectForm storedForm) {}

  private final String plural;
  private final TypeRules rules;
  private final StructShape shape;
  private final @Nullable StructShape storedShape;
  private final @Nullable ObjectForm ownForm;
  private volatile @Nullable Found found;
  private volatile @Nullable TableSpec table;

  /**
   * @param storedShape the struct of the stored version, if it is another version
   * @param ownForm how objects are read, if the shape does not determine it
   * @param table the columns, if the rules do not contain them
   */
  LazyRules(
      String plural,
      TypeRules rules,
      StructShape shape,
      @Nullable StructShape storedShape,
      @Nullable ObjectForm ownForm,
      @Nullable TableSpec table) {
    this.plural = plural;
    this.rules = rules;
    this.shape = shape;
    this.storedShape = storedShape;
    this.ownForm = ownForm;
    this.table = table;
  }

  Strategy strategy() {
    return found().strategy();
  }

  ObjectForm form() {
    return found().form();
  }

  ObjectForm storedForm() {
    return found().storedForm();
  }

  TableSpec table() {
    var known = table;
    if (known == null) {
      known = rules.table(plural);
      table = known;
    }
    return known;
  }

  private Found found() {
    var known = found;
    if (known == null) {
      known = find();
      found = known;
    }
    return known;
  }

  private Found find() {
    var strategy = rules.strategy(plural);
    var empties = strategy.emptyFields();
    var form = ownForm == null ? ObjectForm.of(shape, empties) : ownForm;
    return new Found(
        strategy, form, storedShape == null ? form : ObjectForm.of(storedShape, empties));
  }
}
