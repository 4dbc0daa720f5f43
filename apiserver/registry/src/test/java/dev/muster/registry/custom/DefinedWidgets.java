package dev.muster.registry.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.BuiltIns;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A replica whose types are also those of the definitions that a test writes to the store. */
final class DefinedWidgets implements AutoCloseable {
  private static final String KEY = Definition.STORAGE + "/";

  private final MemoryStore store = new MemoryStore();
  private final Replica replica;

  DefinedWidgets(WebhookConversion webhooks) {
    replica =
        Replica.start(store, BuiltIns.TYPES, new CustomTypes(webhooks), ReplicaOptions.defaults());
    Awaitility.await().until(replica::ready);
  }

  /** JSON that is written with single quotes. */
  static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  /** A version of the resource. */
  static String version(String name, boolean stored, String schema) {
    return "{'name':'%s','served':true,'storage':%s,'schema':{'openAPIV3Schema':%s}}"
        .formatted(name, stored, schema);
  }

  /** A definition in the group example.com. */
  static String definition(String plural, String kind, String created, String rest) {
    return ("{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{"
            + "'name':'%1$s.example.com','uid':'u-%1$s','creationTimestamp':'%3$s'},"
            + "'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'%1$s',"
            + "'kind':'%2$s'},%4$s}}")
        .formatted(plural, kind, created, rest);
  }

  void write(String plural, String definition) {
    commit(new Operation.Put(KEY + plural + ".example.com", bytes(definition), Operation.ANY));
  }

  void delete(String plural) {
    commit(new Operation.Delete(KEY + plural + ".example.com", Operation.ANY));
  }

  private void commit(Operation operation) {
    assertThat(store.commit(Transaction.of(operation)).join())
        .isInstanceOf(CommitResult.Committed.class);
    replica.fresh().join();
  }

  Types types() {
    return Types.in(replica.current());
  }

  @Nullable ServedType find(String version, String plural) {
    return types().find("example.com", version, plural);
  }

  /** How objects of the widgets of that version are read. */
  CustomForm form(String version) {
    return (CustomForm) Objects.requireNonNull(find(version, "widgets")).form();
  }

  /** The widgets, with the versions that are given. */
  DefinedWidgets define(String... versions) {
    write(
        "widgets",
        definition(
            "widgets",
            "Widget",
            "2026-01-01T00:00:00Z",
            "'versions':[" + String.join(",", List.of(versions)) + "]"));
    return this;
  }

  @Override
  public void close() {
    replica.close();
    store.close();
  }
}
