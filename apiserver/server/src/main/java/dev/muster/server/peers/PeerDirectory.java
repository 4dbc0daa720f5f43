package dev.muster.server.peers;

import dev.muster.model.GroupVersionResource;
import java.util.List;

/** The known peers of this server. Event loops call it. */
public interface PeerDirectory {
  /** A directory without peers. */
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

  /** The living peers that serve a resource. */
  List<FleetPeer> serving(GroupVersionResource resource);

  /** The CAs, in PEM, that sign the certificates of the fleet. */
  String authorities();
}
