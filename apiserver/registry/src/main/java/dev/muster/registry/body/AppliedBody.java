package dev.muster.registry.body;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.types.options.WriteOptions;
import java.util.List;
import java.util.function.Consumer;

/**
 * The configuration of a server-side apply as a client sent it.
 *
 * @param complaints what is wrong with its text though it could be read
 */
public record AppliedBody(JsonObject object, List<String> complaints) {
  public AppliedBody {
    complaints = List.copyOf(complaints);
  }

  /** Field validation, which upstream does once everything else went well. */
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
