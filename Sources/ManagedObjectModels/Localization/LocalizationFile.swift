import DocumentReading
import KeyedArchives

/// A `.strings` file of a model: `en.lproj/AppModel.strings` for a model `App`.
public struct LocalizationFile: Sendable, Hashable {
    /// The path of the file.
    public let path: String

    /// The path relative to the folder that contains the model, or to the model's own folder if the file is in it.
    public let relativePath: String

    /// Whether the file is in the model's folder, not beside it.
    public let isInBundle: Bool

    /// The content of the file, in its stored encoding.
    public let bytes: [UInt8]

    /// The language, from the folder's name; nil for a file outside `.lproj` folders.
    public var language: String? {
        guard let end = relativePath.firstRange(of: ".lproj/") else { return nil }
        return String(relativePath[..<end.lowerBound])
    }

    /// Returns the texts of the file.
    /// - Throws: `ModelError` if the file is not a property list of texts.
    public func dictionary() throws(ModelError) -> LocalizationDictionary {
        do {
            guard let list = try PropertyListReader.value(from: bytes).dictionary else {
                throw ModelError(.unreadable("this is not a dictionary of strings"), path: path)
            }
            return LocalizationDictionary(list)
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(.unreadable("\(error)"), path: path)
        }
    }

    /// A warning if the file is not a property list of texts; otherwise nil. Apps ignore such a file.
    public var problem: ModelWarning? {
        do throws(ModelError) {
            _ = try dictionary()
            return nil
        } catch {
            return ModelWarning(.unreadablePropertyList(error.reason), path: path)
        }
    }

    /// The maximum size of a file in bytes; such files are small.
    private static let maximumSize = 16 << 20

    /// Returns the localization files of a model: in it and beside it, in folders `LANGUAGE.lproj` or outside them.
    ///
    /// They are named after the model with `Model` added: those of `Jims.xcdatamodeld` are `JimsModel.strings`, and
    /// those of `JimsModel.xcdatamodeld` are `JimsModelModel.strings`.
    /// - Throws: `ModelError` if a file cannot be read.
    public static func files(of bundle: ModelBundle) throws(ModelError) -> [LocalizationFile] {
        try files(named: bundle.name, at: bundle.path, isFolder: true)
    }

    /// Returns the localization files of a version that is not in a bundle.
    /// - Throws: `ModelError` for a file that cannot be read.
    public static func files(of version: ModelVersion) throws(ModelError) -> [LocalizationFile] {
        if let bundle = version.bundle { return try files(of: bundle) }
        return try files(named: version.name, at: version.path, isFolder: FileKind(path: version.path) == .folder)
    }

    private static func files(
        named name: String, at path: String, isFolder: Bool
    ) throws(ModelError) -> [LocalizationFile] {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var files = try files(named: name, below: parent.isEmpty ? "/" : parent, isInBundle: false)
        if isFolder { files += try self.files(named: name, below: path, isInBundle: true) }
        return files
    }

    private static func files(
        named name: String, below folder: String, isInBundle: Bool
    ) throws(ModelError) -> [LocalizationFile] {
        let wanted = name + "Model.strings"
        // If the folder cannot be listed, no files are found; the model itself has already been read.
        guard let entries = try? FolderListing(path: folder).entries else { return [] }
        var found: [LocalizationFile] = []
        for entry in entries.sorted(by: { $0.name < $1.name }) {
            let relative: String
            if entry.kind == .file, entry.name == wanted {
                relative = wanted
            } else if entry.kind == .folder, entry.name.hasSuffix(".lproj"),
                FileKind(path: "\(folder)/\(entry.name)/\(wanted)") == .file
            {
                relative = entry.name + "/" + wanted
            } else {
                continue
            }
            do {
                let source = try SourceText(path: folder + "/" + relative, maximumSize: maximumSize)
                found.append(
                    LocalizationFile(
                        path: folder + "/" + relative, relativePath: relative, isInBundle: isInBundle,
                        bytes: source.bytes))
            } catch {
                throw ModelError(error)
            }
        }
        return found
    }
}
