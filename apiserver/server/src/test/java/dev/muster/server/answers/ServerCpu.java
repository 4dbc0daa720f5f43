package dev.muster.server.answers;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The CPU that this process has spent in Java code, other than in its clients. Compilation and
 * collection of garbage run in threads of their own and do not count.
 */
final class ServerCpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ServerCpu() {}

  static long nanos() {
    long own = Thread.currentThread().threadId();
    long sum = 0;
    var ids = THREADS.getAllThreadIds();
    var infos = THREADS.getThreadInfo(ids);
    for (int i = 0; i < ids.length; i++) {
      var info = infos[i];
      if (ids[i] != own && info != null && !info.getThreadName().startsWith("HttpClient")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(ids[i]));
      }
    }
    return sum;
  }
}
