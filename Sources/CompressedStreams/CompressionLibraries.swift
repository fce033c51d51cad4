internal import CZlib
internal import CZstd

/// The libraries that compress, as they are linked.
public enum CompressionLibraries {
    /// zlib's version, as in `1.2.13`.
    public static var zlibVersion: String { String(cString: CZlib.zlibVersion()) }

    /// Zstandard's version, as in `1.5.4`.
    public static var zstdVersion: String { String(cString: ZSTD_versionString()) }
}
