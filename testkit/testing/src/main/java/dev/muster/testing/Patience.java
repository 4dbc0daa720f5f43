package dev.muster.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets long timeouts for every test with this module on its class path, because a busy machine is
 * no failure. Tests that pass do not take longer.
 */
public final class Patience implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.reset();
    Awaitility.setDefaultTimeout(Duration.ofSeconds(90));
  }
}
