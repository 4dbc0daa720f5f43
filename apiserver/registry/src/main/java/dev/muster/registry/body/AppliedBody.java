package dev.muster.registry.body;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.types.options.WriteOptions;
import java.util.List;
import java.util.function.Consumer;

/**
 * The configuration in the body of a server-side apply.
 *
 * @param complaints field validation errors, such as unknown or repeated fields
 */
public record AppliedBody(JsonObject object, List<String> complaints) {
  public AppliedBody {
    complaints = List.copyOf(complaints);
  }

  /**
   * Applies field validation. Like upstream, the caller does this after all other checks have
   * passed.
   */
  public void validate(WriteOptions.Strictness strictness, Consumer<String> warnings) {
    if (complaints.isEmpty()) {
      return;
    }
    switch (strictness) {
      case IGNORE -> {}
      case WARN -> complaints.forEach(complaint -> RequestDecoder.warn(complaint, warnings));
      case STRICT ->
          throw ApiException.badRequest(
              "error strict decoding YAML: error converting YAML to JSON: "
                  + String.join(", ", complaints));
    }
  }
}
