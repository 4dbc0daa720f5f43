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
 * Converts custom objects between versions and prunes fields that the new version's schema does not
 * declare.
 *
 * @param forms the form of each version, by its name
 * @param caller calls the webhook; null for the conversion strategy None
 */
record CustomConverter(Map<String, CustomForm> forms, @Nullable Caller caller)
    implements VersionConverter {

  /** Calls the conversion webhook of one definition. */
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
