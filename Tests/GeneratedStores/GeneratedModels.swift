import Foundation
public import ManagedObjectModels

/// Writes versions of a model as Xcode keeps them.
public enum GeneratedModels {
    /// Writes a `.xcdatamodeld`; the last version is the current one.
    public static func write(_ versions: [(name: String, model: ManagedObjectModel)], to bundle: String) throws {
        for version in versions {
            let folder = "\(bundle)/\(version.name).xcdatamodel"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try ModelContentsWriter(version.model).text()
                .write(toFile: folder + "/contents", atomically: false, encoding: .utf8)
        }
        let current = versions.last?.name ?? ""
        try """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string>
        </dict></plist>
        """.write(toFile: bundle + "/.xccurrentversion", atomically: false, encoding: .utf8)
    }
}
