package dev.muster.types.table;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of a resource's table, and how to make rows from objects in their stored version. */
public final class TableSpec {
  /** The table of a resource without columns of its own: name and creation time. */
  public static final TableSpec PLAIN =
      of(
          Cells.name(),
          new Column("Created At", "date", "", 0, "When the object was made.", TableSpec::created));

  public static final TableSpec NAME_AND_AGE = of(Cells.name(), Cells.age());

  private final List<Column> columns;
  private final List<Column.Cell> hidden;
  private final RowConditions conditions;
  private final @Nullable Function<JsonObject, Rank> order;
  private final boolean repeated;
  private final JsonArray definitions;

  /** Computes the conditions of a row, such as that a pod has completed. */
  @FunctionalInterface
  interface RowConditions {
    JsonArray of(JsonObject object);
  }

  private TableSpec(
      List<Column> columns,
      List<Column.Cell> hidden,
      RowConditions conditions,
      @Nullable Function<JsonObject, Rank> order,
      boolean repeated) {
    this.columns = List.copyOf(columns);
    this.hidden = List.copyOf(hidden);
    this.conditions = conditions;
    this.order = order;
    this.repeated = repeated;
    this.definitions = JsonArray.of(columns.stream().map(Column::definition).toList());
  }

  private static Json created(JsonObject object, Instant now) {
    return object.at("metadata", "creationTimestamp") instanceof JsonString time
        ? time
        : Json.of("0001-01-01T00:00:00Z");
  }

  /** The name column, with which every table begins. */
  public static Column nameColumn() {
    return Cells.name();
  }

  public static TableSpec of(Column... columns) {
    return new TableSpec(List.of(columns), List.of(), object -> JsonArray.EMPTY, null, false);
  }

  TableSpec withConditions(RowConditions rowConditions) {
    return new TableSpec(columns, hidden, rowConditions, order, repeated);
  }

  /** Adds a cell without a column, which upstream has in one table by mistake. */
  TableSpec withHiddenCell(Column.Cell cell) {
    return new TableSpec(columns, List.of(cell), conditions, order, repeated);
  }

  /** Sorts the rows of a list in that order instead of by name. */
  TableSpec sortedBy(Function<JsonObject, Rank> rows) {
    return new TableSpec(columns, hidden, conditions, rows, repeated);
  }

  /** Sends the column definitions with every event of a watch, not only with the first. */
  TableSpec withRepeatedColumns() {
    return new TableSpec(columns, hidden, conditions, order, true);
  }

  boolean repeatsColumns() {
    return repeated;
  }

  /** The sort key of a row. */
  record Rank(long number, String name) implements Comparable<Rank> {
    @Override
    public int compareTo(Rank other) {
      int byNumber = Long.compare(number, other.number);
      return byNumber != 0 ? byNumber : name.compareTo(other.name);
    }
  }

  /** The objects of a list in the order of the rows; does not retain their trees. */
  <T> Iterable<T> inOrder(Iterable<T> objects, Function<T, JsonObject> tree) {
    if (order == null) {
      return objects;
    }
    record Ranked<T>(Rank rank, T object) {}
    var ranked = new ArrayList<Ranked<T>>();
    for (var object : objects) {
      ranked.add(new Ranked<>(order.apply(tree.apply(object)), object));
    }
    ranked.sort(Comparator.comparing(Ranked::rank));
    return ranked.stream().map(Ranked::object).toList();
  }

  /** Whether the resource has no columns of its own. */
  public boolean isPlain() {
    return this == PLAIN;
  }

  public List<Column> columns() {
    return columns;
  }

  /** The column definitions in the Table object. */
  public JsonArray definitions() {
    return definitions;
  }

  public JsonArray cells(JsonObject object, Instant now) {
    var cells = new Json[columns.size() + hidden.size()];
    for (int i = 0; i < columns.size(); i++) {
      cells[i] = columns.get(i).cell().of(object, now);
    }
    for (int i = 0; i < hidden.size(); i++) {
      cells[columns.size() + i] = hidden.get(i).of(object, now);
    }
    return JsonArray.of(cells);
  }

  /** The conditions of the row; usually empty. */
  public JsonArray conditions(JsonObject object) {
    return conditions.of(object);
  }
}
