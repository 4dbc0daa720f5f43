package dev.muster.store.embedded;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.muster.store.PrivateFiles;
import dev.muster.store.StoreException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Logger;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;
import org.slf4j.LoggerFactory;

/** Opens a RocksDB database with its options, and holds its native objects. */
record DatabaseFiles(
    RocksDB db,
    ColumnFamilyHandle state,
    ColumnFamilyHandle log,
    ColumnFamilyHandle expiry,
    ColumnFamilyHandle meta,
    List<AbstractNativeReference> options)
    implements AutoCloseable {

  private static final long WRITE_BUFFER = 16 << 20;
  private static final long BLOCK_CACHE = 16 << 20;
  private static final long MAX_WAL = 64 << 20;

  static DatabaseFiles open(Path folder) {
    checkWhole(folder);
    RocksDB.loadLibrary();
    var kept = new ArrayList<AbstractNativeReference>();
    var cache = new LRUCache(BLOCK_CACHE);
    var logger = new ToSlf4j();
    var options = dbOptions();
    options.setLogger(logger);
    kept.add(options);
    kept.add(logger);
    var descriptors =
        List.of(
            family("default", small(cache), kept),
            family("state", state(cache), kept),
            family("log", log(cache), kept),
            family("expiry", small(cache), kept),
            family("meta", small(cache), kept));
    kept.add(cache);
    var handles = new ArrayList<ColumnFamilyHandle>();
    try {
      var db = RocksDB.open(options, folder.toString(), descriptors, handles);
      kept.addFirst(handles.getFirst());
      return new DatabaseFiles(
          db, handles.get(1), handles.get(2), handles.get(3), handles.get(4), kept);
    } catch (RocksDBException e) {
      kept.forEach(AbstractNativeReference::close);
      throw new StoreException.Unusable(
          "the database in %s cannot be opened: %s".formatted(folder, text(e)), e);
    }
  }

  /** Refuses files without their index, because RocksDB would open them as an empty database. */
  private static void checkWhole(Path folder) {
    try {
      PrivateFiles.createFolder(folder);
      if (Files.exists(folder.resolve("CURRENT"))) {
        return;
      }
      try (var files = Files.list(folder)) {
        var data =
            files.filter(file -> file.toString().matches(".*\\.(sst|log)")).sorted().findFirst();
        if (data.isPresent()) {
          throw new StoreException.Unusable(
              "the database in %s has lost its file CURRENT but holds data (%s)"
                  .formatted(folder, data.get().getFileName()),
              null);
        }
      }
    } catch (IOException e) {
      throw new StoreException.Unusable(
          "the database in %s cannot be read: %s".formatted(folder, e), e);
    }
  }

  private static DBOptions dbOptions() {
    // Only these options detect lost or shortened write-ahead files; they have no setters.
    var properties = new Properties();
    properties.setProperty("track_and_verify_wals_in_manifest", "true");
    var options = DBOptions.getDBOptionsFromProps(properties);
    if (options == null) {
      throw new IllegalStateException("the database does not know " + properties);
    }
    return options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        // Drop a torn last record, which was never acknowledged; refuse any other damage.
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        .setAllowConcurrentMemtableWrite(false)
        .setEnableWriteThreadAdaptiveYield(false)
        .setMaxBackgroundJobs(2)
        .setMaxTotalWalSize(MAX_WAL)
        .setMaxOpenFiles(maxOpenFiles())
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  /** The database may open only a part of the process's file descriptors. */
  private static int maxOpenFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? Math.clamp(system.getMaxFileDescriptorCount() / 20, 48, 4096)
        : 256;
  }

  private static ColumnFamilyDescriptor family(
      String name, ColumnFamilyOptions options, List<AbstractNativeReference> kept) {
    kept.add(options);
    return new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII), options);
  }

  private static ColumnFamilyOptions state(Cache cache) {
    return new ColumnFamilyOptions()
        .setWriteBufferSize(WRITE_BUFFER)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFilterPolicy(new BloomFilter(10))
                .setCacheIndexAndFilterBlocks(false));
  }

  /**
   * The log is written and deleted in order, so files only move down a level and compression is
   * wasted.
   */
  private static ColumnFamilyOptions log(Cache cache) {
    return small(cache).setWriteBufferSize(WRITE_BUFFER);
  }

  private static ColumnFamilyOptions small(Cache cache) {
    return new ColumnFamilyOptions()
        .setWriteBufferSize(1 << 20)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
  }

  static boolean isDamage(RocksDBException e) {
    var status = e.getStatus();
    return status != null && status.getCode() == Status.Code.Corruption;
  }

  /** Converts a failed read; damaged data becomes {@link StoreException.Unusable}. */
  static StoreException unreadable(RocksDBException e) {
    return isDamage(e)
        ? new StoreException.Unusable("the database is damaged: " + text(e), e)
        : new StoreException.Unavailable("the database cannot be read: " + text(e), e);
  }

  /** The database's message in one line. */
  static String text(RocksDBException e) {
    return String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\n\\s*", "; ");
  }

  @Override
  public void close() {
    List.of(state, log, expiry, meta).forEach(ColumnFamilyHandle::close);
    options.getFirst().close();
    db.close();
    options.stream().skip(1).forEach(AbstractNativeReference::close);
  }

  /**
   * Sends RocksDB's log lines to this server's log, in place of a file in the data folder. They
   * appear only at debug level; the store logs the important events itself.
   */
  private static final class ToSlf4j extends Logger {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);

    ToSlf4j() {
      super(InfoLogLevel.WARN_LEVEL);
    }

    @Override
    protected void log(InfoLogLevel level, String message) {
      LOG.debug("database: {}", message.strip());
    }
  }
}
