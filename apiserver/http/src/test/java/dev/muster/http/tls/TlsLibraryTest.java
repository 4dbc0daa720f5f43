package dev.muster.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.http.TestAuthority;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What both libraries for TLS must agree on. */
class TlsLibraryTest {
  private static final TlsOptions USUAL =
      TlsOptions.of(new TestAuthority("test-ca").issue("localhost"));

  @Test
  void theTlsOfTheJdkTakesTheSameCurvesAndRefusesTheHybrid() throws Exception {
    var library = new TlsLibrary(USUAL.withGroups(List.of("secp384r1")), false);
    var context = library.context(USUAL.material().get(), List.of());
    var handler = library.handler(context, ByteBufAllocator.DEFAULT);
    assertThat(handler.engine().getSSLParameters().getNamedGroups()).containsExactly("secp384r1");
    assertThatThrownBy(() -> new TlsLibrary(USUAL.withGroups(List.of("X25519MLKEM768")), false))
        .hasMessageStartingWith(
            "curve preference X25519MLKEM768 is not supported by the TLS library");
  }

  @Test
  void theTlsOfTheJdkAsksForCertificatesAndOffersHttp2() throws Exception {
    var library = new TlsLibrary(USUAL, false);
    var context = library.context(USUAL.material().get(), List.of());
    var engine = library.handler(context, ByteBufAllocator.DEFAULT).engine();
    assertThat(context.isServer()).isTrue();
    assertThat(engine.getWantClientAuth()).isTrue();
    assertThat(engine.getNeedClientAuth()).isFalse();
    assertThat(context.applicationProtocolNegotiator().protocols())
        .containsExactly("h2", "http/1.1");
    assertThat(engine.getEnabledProtocols()).containsExactlyInAnyOrderElementsOf(USUAL.protocols());
  }
}
