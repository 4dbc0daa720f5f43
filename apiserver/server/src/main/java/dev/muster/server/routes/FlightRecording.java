package dev.muster.server.routes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import jdk.jfr.Configuration;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordingFile;

/**
 * Makes a recording of the Java Flight Recorder without events that could reveal secrets.
 * Thread-safe. Secrets may stand in texts: environment variables, system properties, command lines
 * of this and other processes, agent options and exception messages. The recording therefore
 * contains an event with texts only if the list below declares the event harmless. Events that a
 * later JDK adds are left out, too.
 */
final class FlightRecording {
  private static final long MOST_BYTES = 32 << 20;
  private static final Duration GLANCE = Duration.ofMillis(200);

  /** Events whose texts are JVM-internal names, paths and peer addresses only. */
  private static final Set<String> HARMLESS =
      Set.of(
          "jdk.ActiveSetting",
          "jdk.BooleanFlag",
          "jdk.BooleanFlagChanged",
          "jdk.CPUInformation",
          "jdk.CodeCacheFull",
          "jdk.CodeCacheStatistics",
          "jdk.Compilation",
          "jdk.CompilationFailure",
          "jdk.CompilerPhase",
          "jdk.CompilerQueueUtilization",
          "jdk.ContainerConfiguration",
          "jdk.Deoptimization",
          "jdk.DoubleFlag",
          "jdk.DoubleFlagChanged",
          "jdk.ExecuteVMOperation",
          "jdk.ExecutionSample",
          "jdk.FileForce",
          "jdk.FileRead",
          "jdk.FileWrite",
          "jdk.G1GarbageCollection",
          "jdk.G1HeapSummary",
          "jdk.GCConfiguration",
          "jdk.GCHeapConfiguration",
          "jdk.GCHeapMemoryPoolUsage",
          "jdk.GCHeapSummary",
          "jdk.GCPhaseConcurrent",
          "jdk.GCPhaseConcurrentLevel1",
          "jdk.GCPhaseConcurrentLevel2",
          "jdk.GCPhaseParallel",
          "jdk.GCPhasePause",
          "jdk.GCPhasePauseLevel1",
          "jdk.GCPhasePauseLevel2",
          "jdk.GCReferenceStatistics",
          "jdk.GarbageCollection",
          "jdk.IntFlag",
          "jdk.IntFlagChanged",
          "jdk.LongFlag",
          "jdk.LongFlagChanged",
          "jdk.MetaspaceAllocationFailure",
          "jdk.MetaspaceChunkFreeListSummary",
          "jdk.MetaspaceGCThreshold",
          "jdk.MetaspaceOOM",
          "jdk.MetaspaceSummary",
          "jdk.NativeLibrary",
          "jdk.NativeMemoryUsage",
          "jdk.NativeMethodSample",
          "jdk.NetworkUtilization",
          "jdk.OSInformation",
          "jdk.SocketRead",
          "jdk.SocketWrite",
          "jdk.ThreadDump",
          "jdk.UnsignedIntFlag",
          "jdk.UnsignedIntFlagChanged",
          "jdk.UnsignedLongFlag",
          "jdk.UnsignedLongFlagChanged",
          "jdk.VirtualThreadPinned",
          "jdk.VirtualizationInformation");

  private FlightRecording() {}

  /**
   * Records the JVM for that long.
   *
   * @param isOver checked now and then; ends the recording early
   */
  static byte[] of(Duration length, BooleanSupplier isOver)
      throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("muster-");
    var whole = folder.resolve("whole.jfr");
    var harmless = folder.resolve("harmless.jfr");
    try {
      record(length, isOver, whole);
      // The file also contains events that other recordings of this JVM have enabled.
      try (var file = new RecordingFile(whole)) {
        file.write(harmless, event -> isHarmless(event.getEventType()));
      }
      return Files.readAllBytes(harmless);
    } finally {
      Files.deleteIfExists(whole);
      Files.deleteIfExists(harmless);
      Files.delete(folder);
    }
  }

  private static void record(Duration length, BooleanSupplier isOver, Path file)
      throws IOException, InterruptedException {
    try (var recording = new Recording(profile())) {
      FlightRecorder.getFlightRecorder().getEventTypes().stream()
          .filter(type -> !isHarmless(type))
          .forEach(type -> recording.disable(type.getName()));
      recording.setMaxSize(MOST_BYTES);
      recording.start();
      long end = System.nanoTime() + length.toNanos();
      while (System.nanoTime() - end < 0 && !isOver.getAsBoolean()) {
        Thread.sleep(GLANCE);
      }
      recording.stop();
      recording.dump(file);
    }
  }

  private static Configuration profile() throws IOException {
    try {
      return Configuration.getConfiguration("profile");
    } catch (ParseException e) {
      throw new IllegalStateException("this Java has no settings for profiles", e);
    }
  }

  static boolean isHarmless(EventType type) {
    return HARMLESS.contains(type.getName())
        || type.getFields().stream().noneMatch(FlightRecording::isText);
  }

  private static boolean isText(ValueDescriptor field) {
    return field.getTypeName().equals("java.lang.String");
  }
}
