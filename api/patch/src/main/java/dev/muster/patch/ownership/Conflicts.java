package dev.muster.patch.ownership;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.patch.ownership.fields.FieldSet;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/** Builds the Conflict error for an apply that would change fields of other managers. */
final class Conflicts {
  private Conflicts() {}

  static ApiException exception(Map<ManagerId, FieldSet> conflicts) {
    var causes = new ArrayList<StatusDetails.Cause>();
    var lines = new ArrayList<String>();
    for (var conflict : new TreeMap<>(conflicts).entrySet()) {
      var manager = conflict.getKey().describe();
      lines.add("conflicts with " + manager + ":");
      for (var path : conflict.getValue().paths()) {
        lines.add("- " + path);
        causes.add(
            new StatusDetails.Cause("FieldManagerConflict", "conflict with " + manager, path));
      }
    }
    var first = causes.getFirst();
    var message =
        causes.size() == 1
            ? "Apply failed with 1 conflict: " + first.message() + ": " + first.field()
            : "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
    return new ApiException(Reason.CONFLICT, message, StatusDetails.NONE.withCauses(causes));
  }
}
