package dev.muster.schema.generator;

import com.google.gson.annotations.SerializedName;
import io.swagger.annotations.ApiModel;
import io.swagger.annotations.ApiModelProperty;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The classes of the client's model: JSON names, what is required, and descriptions. */
final class ModelTypes {
  private static final String PACKAGE = "io.kubernetes.client.openapi.models.";

  /** A model class. */
  record Model(String description, Map<String, Property> properties) {}

  /** A property of it. */
  record Property(String name, Type type, boolean required, String description) {}

  private ModelTypes() {}

  /** The model of an OpenAPI definition, or null when the client has none. */
  static @Nullable Model find(String definition) {
    var parts = definition.split("\\.");
    var name = parts[parts.length - 1];
    var version = capital(parts[parts.length - 2]);
    var group = capital(parts[parts.length - 3]);
    var found = load(group + version + name);
    return found != null ? found : load(version + name);
  }

  private static @Nullable Model load(String name) {
    Class<?> type;
    try {
      type = Class.forName(PACKAGE + name);
    } catch (ClassNotFoundException none) {
      return null;
    }
    try {
      @SuppressWarnings("unchecked")
      var required = (Set<String>) type.getField("openapiRequiredFields").get(null);
      var properties = new LinkedHashMap<String, Property>();
      for (var field : type.getDeclaredFields()) {
        var serialized = field.getAnnotation(SerializedName.class);
        if (serialized != null) {
          var getter = getter(type, field.getName());
          properties.put(
              serialized.value(),
              new Property(
                  serialized.value(),
                  field.getGenericType(),
                  required.contains(serialized.value()),
                  getter == null ? "" : getter.value()));
        }
      }
      var model = type.getAnnotation(ApiModel.class);
      return new Model(model == null ? "" : model.description(), properties);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot look into " + name, e);
    }
  }

  private static @Nullable ApiModelProperty getter(Class<?> type, String field) {
    for (var method : type.getMethods()) {
      if (method.getName().equalsIgnoreCase("get" + field) && method.getParameterCount() == 0) {
        return method.getAnnotation(ApiModelProperty.class);
      }
    }
    return null;
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
