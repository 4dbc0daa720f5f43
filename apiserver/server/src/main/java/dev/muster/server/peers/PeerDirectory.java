package dev.muster.server.peers;

import dev.muster.model.GroupVersionResource;
import java.util.List;

/** What is known of the other servers of the fleet. Asked on event loops. */
public interface PeerDirectory {
  /** Nobody is known. */
  PeerDirectory NONE =
      new PeerDirectory() {
        @Override
        public List<FleetPeer> serving(GroupVersionResource resource) {
          return List.of();
        }

        @Override
        public String authorities() {
          return "";
        }
      };

  /** The living servers that serve a resource. */
  List<FleetPeer> serving(GroupVersionResource resource);

  /** The certificates of those who vouch for the servers of the fleet, in PEM. */
  String authorities();
}
