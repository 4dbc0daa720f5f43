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

/** The native objects of one open database, and how it is tuned. */
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

  /** The library would take files without their index for an empty database. */
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
    // Lost or shortened write-ahead files are noticed only with these, which have no setters.
    var properties = new Properties();
    properties.setProperty("track_and_verify_wals_in_manifest", "true");
    var options = DBOptions.getDBOptionsFromProps(properties);
    if (options == null) {
      throw new IllegalStateException("the database does not know " + properties);
    }
    return options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        // A torn last record was never acknowledged and is dropped; anything else is refused.
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        .setAllowConcurrentMemtableWrite(false)
        .setEnableWriteThreadAdaptiveYield(false)
        .setMaxBackgroundJobs(2)
        .setMaxTotalWalSize(MAX_WAL)
        .setMaxOpenFiles(maxOpenFiles())
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  /** A part of what the process may open, so that a large database leaves the rest to others. */
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

  /** Written in order and dropped in order: files only move down, and compressing is a waste. */
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

  /** What a failed read means: damaged data is never served. */
  static StoreException unreadable(RocksDBException e) {
    return isDamage(e)
        ? new StoreException.Unusable("the database is damaged: " + text(e), e)
        : new StoreException.Unavailable("the database cannot be read: " + text(e), e);
  }

  /** What the database says, in one line. */
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
   * The database's own lines go to our log instead of a file in the data folder, and only when
   * details are asked for: what of them matters to operators, this module says in its own words.
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
