package dev.muster.openapi;

import dev.muster.model.GroupVersion;
import dev.muster.schema.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps everything as long as itself. */
final class UnboundedCache implements OpenApi.Shelves {
  private final Map<String, OpenApi.Rendered> all = new ConcurrentHashMap<>();

  @Override
  public Map<String, OpenApi.Rendered> of(GroupVersion groupVersion) {
    return all;
  }

  @Override
  public Map<String, OpenApi.Rendered> ofAll() {
    return all;
  }

  @Override
  public Map<String, Fragment> of(ResourceType custom) {
    return new ConcurrentHashMap<>();
  }

  @Override
  public Map<String, Fragment> ofBuiltIn() {
    return new ConcurrentHashMap<>();
  }
}
