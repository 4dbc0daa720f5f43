package dev.muster.server.nodes;

import dev.muster.http.Header;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.connect.Destination;
import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.BackendRequest;
import dev.muster.server.proxy.PassedRequests;
import dev.muster.server.proxy.ProxyHeaders;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.UpgradeRequest;
import dev.muster.server.proxy.Upload;
import dev.muster.server.request.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs commands in containers and forwards ports of pods, through kubelets. Virtual threads call
 * it, and it blocks them. Clients that use SPDY, or a WebSocket protocol that the kubelet supports,
 * are connected to it unchanged. For newer WebSocket protocols this class translates to SPDY.
 */
public final class NodeStreams {
  private static final Logger LOG = LoggerFactory.getLogger(NodeStreams.class);
  private static final byte[] NOTHING = {};

  private final Forwarding forwarding;
  private final Executor threads;
  private final ProxyTimeouts timeouts;
  private final PassedRequests passing;

  public NodeStreams(Forwarding forwarding, Executor threads, ProxyTimeouts timeouts) {
    this.forwarding = forwarding;
    this.threads = threads;
    this.timeouts = timeouts;
    this.passing = new PassedRequests(threads, timeouts, true);
  }

  /** Runs a command or attaches to one. */
  void command(Request request, Destination destination) {
    if (!CommandChannels.wanted(request)) {
      pass(request, destination);
      return;
    }
    try (var call = forwarding.kubelet(request, destination)) {
      var channels = new CommandChannels(request, call::cancel);
      try (var kubelet = new SpdyStreams(call)) {
        call.connect();
        agree(call, destination, "v5.channel.k8s.io", "v4.channel.k8s.io");
        var streams = channels.open(kubelet);
        inBackground(call, () -> channels.send(kubelet, streams));
        channels.receive(kubelet, streams);
      } catch (BackendException e) {
        channels.refuse("error sending request: Post \"" + destination + "\": " + e.text());
      }
    } catch (BackendException e) {
      new CommandChannels(request, () -> {})
          .refuse("error sending request: Post \"" + destination + "\": " + e.text());
    }
  }

  /** Forwards ports of a pod. */
  void ports(Request request, Destination destination) {
    if (!TunnelledPorts.wanted(request)) {
      pass(request, destination);
      return;
    }
    try (var call = forwarding.kubelet(request, destination)) {
      call.connect();
      agree(call, destination, TunnelledPorts.PROTOCOL);
      var ports = new TunnelledPorts(request, call);
      inBackground(call, ports::send);
      ports.receive();
    } catch (BackendException e) {
      throw undialled(e);
    }
  }

  private interface Sending {
    void run() throws BackendException;
  }

  /** If sending fails, the kubelet's remaining output is still read. */
  private void inBackground(BackendCall call, Sending sending) {
    threads.execute(
        () -> {
          try {
            sending.run();
          } catch (BackendException e) {
            LOG.debug("a kubelet takes no more: {}", e.text());
          } catch (RuntimeException | Error e) {
            LOG.error("a stream to a kubelet is cut off", e);
            call.cancel();
          }
        });
  }

  private void agree(BackendCall call, Destination destination, String... protocols)
      throws BackendException {
    var headers = new ArrayList<Header>();
    headers.add(new Header("host", destination.authority()));
    for (var protocol : protocols) {
      headers.add(new Header("x-stream-protocol-version", protocol));
    }
    var response =
        call.upgrade(
            new BackendRequest("POST", headers, NOTHING),
            SpdyStreams.PROTOCOL,
            timeouts.handshake());
    if (response.status() != 101) {
      throw new BackendException("unable to upgrade connection: " + Forwarding.complaint(call));
    }
  }

  /** Connects the client and the kubelet; from then on bytes pass unchanged. */
  private void pass(Request request, Destination destination) {
    var exchange = request.exchange();
    if (UpgradeRequest.protocol(exchange).isEmpty()) {
      throw ApiException.badRequest("Upgrade request required");
    }
    var host = destination.urlAuthority();
    List<Header> headers = ProxyHeaders.forwarded(exchange, host, request.info().path());
    try (var call = forwarding.kubelet(request, destination)) {
      passing.answer(request, call, headers, new Upload());
    } catch (BackendException e) {
      throw undialled(e);
    }
  }

  private static ApiException undialled(BackendException failure) {
    return new ApiException(Reason.UNKNOWN, "error dialing backend: " + failure.text());
  }
}
