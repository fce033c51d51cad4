internal import CNettle

/// Nettle, which computes SHA-256, as it is linked.
public enum DigestLibrary {
    /// Its version, as in `3.8`.
    public static var version: String { "\(nettle_version_major()).\(nettle_version_minor())" }
}
