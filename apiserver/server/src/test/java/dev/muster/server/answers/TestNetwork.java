package dev.muster.server.answers;

import dev.muster.server.proxy.Network;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A network of a test: addresses that users may reach, behind which backends on the loopback stand,
 * and names that can change what they stand for between two questions. Safe for any thread.
 */
final class TestNetwork implements Network {
  private final Map<InetSocketAddress, Integer> backends = new ConcurrentHashMap<>();
  private final Map<String, Deque<List<InetAddress>>> names = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<InetSocketAddress> dialled = new CopyOnWriteArrayList<>();

  /** Puts a backend behind an address and port. */
  TestNetwork at(String address, int port, TestBackend backend) {
    backends.put(new InetSocketAddress(InetAddress.ofLiteral(address), port), backend.port());
    return this;
  }

  /** The addresses of a name: one answer for each question, the last one for all that follow. */
  TestNetwork named(String name, List<String> first, List<String> then) {
    var answers = new ArrayDeque<List<InetAddress>>();
    answers.add(first.stream().map(InetAddress::ofLiteral).toList());
    answers.add(then.stream().map(InetAddress::ofLiteral).toList());
    names.put(name, answers);
    return this;
  }

  @Override
  public synchronized List<InetAddress> lookup(String name) throws UnknownHostException {
    asked.add(name);
    var answers = names.get(name);
    if (answers == null) {
      throw new UnknownHostException(name);
    }
    return new ArrayList<>(answers.size() > 1 ? answers.removeFirst() : answers.getFirst());
  }

  /** An address with nobody behind it is a port of the loopback that refuses. */
  @Override
  public InetSocketAddress route(InetSocketAddress address) {
    dialled.add(address);
    var port = backends.get(address);
    var loopback = InetAddress.ofLiteral("127.0.0.1");
    if (port != null) {
      return new InetSocketAddress(loopback, port);
    }
    return address.getAddress().isLoopbackAddress() ? address : new InetSocketAddress(loopback, 1);
  }

  /** The names that were looked up. */
  List<String> asked() {
    return asked;
  }

  /** The addresses that were connected to, or tried. */
  List<String> dialled() {
    return dialled.stream()
        .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
        .toList();
  }
}
