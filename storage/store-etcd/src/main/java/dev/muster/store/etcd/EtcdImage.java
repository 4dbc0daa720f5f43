package dev.muster.store.etcd;

import dev.muster.store.Entry;
import dev.muster.store.Image;
import dev.muster.store.StoreException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All keys of this store at one revision. It reads all pages from etcd before it returns the first
 * entry; a compaction meanwhile restarts the read. It releases each entry when it returns it. Only
 * one thread uses it.
 */
final class EtcdImage implements Image {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);
  private static final int FIRST_PAGE = 500;
  private static final int LARGEST_PAGE = 10_000;
  private static final long PAGE_BYTES = 4 << 20;
  private static final int KEYS_OF_EVIDENCE = 8;

  private final long revision;
  private final ArrayDeque<Entry> entries;
  private final Collection<HistoryRecord.KeyState> newest;

  private EtcdImage(
      long revision, ArrayDeque<Entry> entries, Collection<HistoryRecord.KeyState> newest) {
    this.revision = revision;
    this.entries = entries;
    this.newest = newest;
  }

  /** The most recently written keys. */
  Collection<HistoryRecord.KeyState> newest() {
    return newest;
  }

  /** Reads all keys. Blocks. */
  static EtcdImage read(EtcdClient client, EtcdKeys keys, EtcdHistory history) {
    while (true) {
      try {
        return readOnce(client, keys, history);
      } catch (EtcdFailure failure) {
        if (failure.meaning() != EtcdFailure.Meaning.COMPACTED) {
          client.checkOpen();
          throw failure.toStoreException();
        }
        LOG.info("the image's revision was compacted while it was read, starting again");
      }
    }
  }

  private static EtcdImage readOnce(EtcdClient client, EtcdKeys keys, EtcdHistory history) {
    var entries = new ArrayDeque<Entry>();
    var from = keys.first();
    var limit = FIRST_PAGE;
    var newest = new PriorityQueue<>(Comparator.comparingLong(HistoryRecord.KeyState::modRevision));
    long revision = 0;
    while (true) {
      var request = EtcdRequests.range(from, keys.end(), limit, revision);
      var least = history.highest();
      var page = client.callUntil(client.deadline(), Method.RANGE, request);
      history.heard(page.header(), least);
      var replaced = history.replacement();
      if (replaced != null) {
        throw replaced;
      }
      revision = revision == 0 ? page.revision() : revision;
      long bytes = 0;
      for (var entry : page.entries()) {
        bytes += entry.value().length;
        entries.add(entry(keys, entry));
        newest.add(HistoryRecord.KeyState.of(entry));
        if (newest.size() > KEYS_OF_EVIDENCE) {
          newest.remove();
        }
      }
      if (!page.more()) {
        return new EtcdImage(revision, entries, newest);
      }
      from = after(page.entries().getLast().key());
      limit = bytes < PAGE_BYTES / 2 ? Math.min(limit * 2, LARGEST_PAGE) : halved(limit, bytes);
    }
  }

  private static int halved(int limit, long bytes) {
    return bytes > PAGE_BYTES * 2 ? Math.max(limit / 2, 10) : limit;
  }

  private static Entry entry(EtcdKeys keys, Responses.KeyValue stored) {
    var key = keys.fromEtcd(stored.key());
    if (key == null) {
      throw new StoreException.Unusable("etcd answered a key that was not asked for", null);
    }
    return new Entry(key, stored.value(), stored.modRevision());
  }

  private static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public Iterator<Entry> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !entries.isEmpty();
      }

      @Override
      public Entry next() {
        if (entries.isEmpty()) {
          throw new NoSuchElementException();
        }
        return entries.removeFirst();
      }
    };
  }

  @Override
  public void close() {
    entries.clear();
  }
}
