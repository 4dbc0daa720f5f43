package dev.muster.server.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.custom.CustomTypes;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.ClusterView;
import dev.muster.types.Types;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestAuthorizationTest {
  private static final String ROLES = "/clusterroles";
  private static final Attributes ATTRIBUTES = Attributes.path(User.ANONYMOUS, "get", "/version");

  /** Decides by roles, which are forgotten sooner than what is asked for. */
  private static final Authorizer BY_ROLES =
      new Authorizer() {
        @Override
        public Decision authorize(Attributes attributes) {
          return Decision.allow("");
        }

        @Override
        public long changed(ClusterView view) {
          return view.changed(ROLES);
        }
      };

  private static long put(MemoryStore store, Replica replica, String name) {
    var role =
        JsonObject.of(
            "apiVersion",
            "rbac.authorization.k8s.io/v1",
            "kind",
            "ClusterRole",
            "metadata",
            JsonObject.of("name", name));
    var put = new Operation.Put(ROLES + "/" + name, JsonWriter.bytes(role), Operation.ANY);
    if (!(store.commit(Transaction.of(put)).join() instanceof CommitResult.Committed committed)) {
      throw new AssertionError(name);
    }
    replica.applied(committed.revision()).orTimeout(60, TimeUnit.SECONDS).join();
    return committed.revision();
  }

  @Test
  void aPageOfAnOldRevisionNeedsNoRolesOfThatTime() {
    var store = new MemoryStore();
    try (var replica =
        Replica.start(
            store,
            Types.of(BuiltInTypes.all()),
            new CustomTypes(WebhookConversion.UNAVAILABLE),
            ReplicaOptions.defaults().withEvents(Duration.ofMinutes(5), 8, 1 << 20))) {
      long old = put(store, replica, "first");
      for (int i = 0; i < 100; i++) {
        put(store, replica, "r" + i);
      }
      var page = replica.at(old).orElseThrow();
      assertThatThrownBy(() -> page.collection(ROLES)).isInstanceOf(ReplicaException.Expired.class);
      var newest = replica.current();
      var decidedNow = new RequestAuthorization(BY_ROLES, ATTRIBUTES, newest.revision());
      assertThat(decidedNow.isOutdatedIn(page)).isFalse();
      assertThat(decidedNow.isOutdatedIn(newest)).isFalse();
      var decidedEarlier = new RequestAuthorization(BY_ROLES, ATTRIBUTES, newest.revision() - 1);
      assertThat(decidedEarlier.isOutdatedIn(newest)).isTrue();
    }
  }
}
