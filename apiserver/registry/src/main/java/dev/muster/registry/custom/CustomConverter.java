package dev.muster.registry.custom;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.types.conversion.VersionConverter;
import dev.muster.wire.DecodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects between the versions of a definition, and takes away what the new version does
 * not know.
 *
 * @param forms by the versions' names
 * @param caller asks the webhook; null when only the name of the version changes
 */
record CustomConverter(Map<String, CustomForm> forms, @Nullable Caller caller)
    implements VersionConverter {

  /** Asks the webhook of one definition. */
  @FunctionalInterface
  interface Caller {
    List<JsonObject> convert(List<JsonObject> objects, String apiVersion);
  }

  @Override
  public boolean isBlocking() {
    return caller != null;
  }

  @Override
  public List<JsonObject> convert(List<JsonObject> objects, GroupVersionKind to) {
    var wanted = to.apiVersion();
    var others =
        objects.stream().filter(object -> !object.string("apiVersion").equals(wanted)).toList();
    if (others.isEmpty()) {
      return objects;
    }
    var converted =
        caller == null
            ? others.stream().map(object -> object.with("apiVersion", wanted)).toList()
            : caller.convert(others, wanted);
    var result = new ArrayList<JsonObject>(objects.size());
    int next = 0;
    for (var object : objects) {
      result.add(
          object.string("apiVersion").equals(wanted)
              ? object
              : coerced(converted.get(next++), to.version()));
    }
    return result;
  }

  private JsonObject coerced(JsonObject object, String version) {
    var form = forms.get(version);
    try {
      return form == null ? object : form.converted(object);
    } catch (DecodeException e) {
      throw ApiException.internal(e.text());
    }
  }
}
