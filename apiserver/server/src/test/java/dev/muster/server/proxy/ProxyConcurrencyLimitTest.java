package dev.muster.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class ProxyConcurrencyLimitTest {
  private static final User JANE = User.of("jane");
  private static final User JOHN = User.of("john");
  private static final User ADMIN = User.of("admin", User.MASTERS);

  private final ProxyConcurrencyLimit places =
      new ProxyConcurrencyLimit(6, 3, 1, "nodes, pods and services");

  private void refuses(User user) {
    assertThatThrownBy(() -> places.take(user))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(429);
              assertThat(refusal.details().retryAfterSeconds()).isEqualTo(1);
            });
  }

  @Test
  void oneUserCannotTakeThePlacesOfAll() {
    for (int i = 0; i < 3; i++) {
      places.take(JANE);
    }
    refuses(JANE);
    places.take(JOHN);
  }

  @Test
  void theLastPlacesAreForAdministrators() {
    for (int i = 0; i < 3; i++) {
      places.take(JANE);
    }
    places.take(JOHN);
    places.take(JOHN);
    refuses(JOHN);
    places.take(ADMIN);
    refuses(ADMIN);
  }

  @Test
  void aPlaceThatIsLeftIsFree() {
    var taken = new ArrayList<ProxyConcurrencyLimit.TakenPlace>();
    for (int i = 0; i < 3; i++) {
      taken.add(places.take(JANE));
    }
    taken.forEach(ProxyConcurrencyLimit.TakenPlace::close);
    assertThat(places.taken()).isZero();
    places.take(JANE);
    assertThat(places.taken()).isEqualTo(1);
  }
}
