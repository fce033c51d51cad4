import DocumentReading
import KeyedArchives

/// Finds the versions of models below a path.
struct ModelFinder {
    private(set) var versions: [ModelVersion] = []
    private(set) var knownHashes: [KnownModelHashes] = []
    private(set) var warnings: [ModelWarning] = []

    /// The maximum size of a property list in bytes; Xcode's are smaller.
    private static let maximumPropertyListSize = 16 << 20

    mutating func search(_ path: String) throws(ModelError) {
        guard let kind = FileKind(path: path) else {
            throw ModelError(.unreadable("there is no such file or folder"), path: path)
        }
        guard kind == .folder else { return addFile(path) }
        // The folders still to be searched, the next one last.
        var folders = [path]
        while let folder = folders.popLast() {
            let entries: [FolderListing.Entry]
            do {
                entries = try Self.entries(of: folder)
            } catch {
                if folder == path { throw ModelError(.unreadable(error.sentence), path: folder) }
                warnings.append(ModelWarning(.unreadableFolder(error.sentence), path: folder))
                continue
            }
            if addBundle(folder, entries) { continue }
            let item = Self.item(folder, Self.lastPart(of: folder), entries)
            if addVersion(item, in: nil) || warnIfIncomplete(item) { continue }
            for entry in entries.reversed() where !entry.name.hasPrefix(".") && entry.kind == .folder {
                folders.append(folder + "/" + entry.name)
            }
            for entry in entries where !entry.name.hasPrefix(".") && entry.kind == .file {
                _ = addVersion(ModelForm.Item(path: folder + "/" + entry.name, name: entry.name, members: nil), in: nil)
            }
        }
    }

    /// Adds a file that the user names: in one of the known forms, or the `contents` of a model.
    private mutating func addFile(_ path: String) {
        let name = Self.lastPart(of: path)
        if addVersion(ModelForm.Item(path: path, name: name, members: nil), in: nil) { return }
        for file in ["contents", "elements"] where name == file {
            let folder = path == file ? "." : String(path.dropLast(file.count + 1))
            let item = ModelForm.Item(path: folder, name: Self.lastPart(of: NamedPath(folder).text), members: [file])
            if addVersion(item, in: nil) { return }
        }
        // Regardless of its name: the reader reports a file that is not a model.
        versions.append(ModelVersion(name: name, path: path, bundle: nil, documentPath: path, form: .contents))
    }

    /// Adds the version at a path if it has one of the known forms.
    private mutating func addVersion(_ item: ModelForm.Item, in bundle: ModelBundle?) -> Bool {
        for form in ModelForm.all {
            guard let found = form.recognise(item) else { continue }
            versions.append(
                ModelVersion(
                    name: found.versionName, path: item.path, bundle: bundle, documentPath: found.documentPath,
                    form: form))
            return true
        }
        return false
    }

    /// Warns about a file or folder that is named like a version but cannot be read as one.
    private mutating func warnIfIncomplete(_ item: ModelForm.Item) -> Bool {
        guard let missing = ModelForm.missingPart(of: item) else { return false }
        warnings.append(ModelWarning(.incompleteModel(missing: missing), path: item.path))
        return true
    }

    /// Adds the versions of a bundle, and the hashes that a compiled bundle lists.
    private mutating func addBundle(_ path: String, _ entries: [FolderListing.Entry]) -> Bool {
        let isCompiled = path.hasSuffix(".momd")
        guard isCompiled || path.hasSuffix(".xcdatamodeld") else { return false }
        let information = isCompiled ? versionInformation(path, entries) : nil
        let named = isCompiled ? information?.currentVersionName : sourceCurrentName(path, entries)
        let items = entries.filter { !$0.name.hasPrefix(".") }.compactMap { member($0, of: path) }
        let recognised = items.compactMap { item in ModelForm.all.lazy.compactMap { $0.recognise(item) }.first }
        let names = Set(recognised.map(\.versionName))
        let isEmpty = names.isEmpty && information?.hashes.isEmpty ?? true
        let missing = isEmpty ? [] : (information?.hashes.keys.filter { !names.contains($0) && $0 != named } ?? [])
        for name in missing.sorted(by: Self.precedes) {
            warnings.append(ModelWarning(.missingVersion(name), path: path))
        }
        var current = named
        if let named, !isEmpty, !names.contains(named) {
            warnings.append(ModelWarning(.missingCurrentVersion(named), path: path))
            current = nil
        }
        // Xcode names the current version only if there is a choice.
        if current == nil, recognised.count == 1 { current = recognised[0].versionName }
        let bundle = ModelBundle(
            name: Self.withoutExtension(Self.lastPart(of: path)), path: path, currentVersionName: current,
            namesCurrentVersion: current != nil && current == named)
        var hasIncomplete = false
        for item in items where !addVersion(item, in: bundle) && warnIfIncomplete(item) { hasIncomplete = true }
        if isEmpty, !hasIncomplete {
            let part = isCompiled ? "file NAME.mom" : "folder NAME.xcdatamodel"
            warnings.append(ModelWarning(.incompleteModel(missing: part), path: path))
        }
        return true
    }

    /// Returns an entry of a bundle, following links, by which build systems replace files and folders; nil for a
    /// folder that cannot be read, and for anything that is neither a file nor a folder.
    private mutating func member(_ entry: FolderListing.Entry, of bundle: String) -> ModelForm.Item? {
        let path = bundle + "/" + entry.name
        switch entry.kind == .link ? FileKind(path: path) : entry.kind {
        case .file: return ModelForm.Item(path: path, name: entry.name, members: nil)
        case .folder: break
        default: return nil
        }
        do {
            return Self.item(path, entry.name, try Self.entries(of: path))
        } catch {
            warnings.append(ModelWarning(.unreadableFolder(error.sentence), path: path))
            return nil
        }
    }

    /// Returns the version that `.xccurrentversion` names.
    private mutating func sourceCurrentName(_ path: String, _ entries: [FolderListing.Entry]) -> String? {
        guard entries.contains(where: { $0.name == ".xccurrentversion" }),
            let name = propertyList(path + "/.xccurrentversion")?["_XCCurrentVersionName"]?.string
        else { return nil }
        return name.hasSuffix(".xcdatamodel") ? Self.withoutExtension(name) : name
    }

    /// Returns the contents of `VersionInfo.plist`; its hashes are added to the known ones.
    private mutating func versionInformation(_ path: String, _ entries: [FolderListing.Entry]) -> VersionInformation? {
        guard entries.contains(where: { $0.name == "VersionInfo.plist" }),
            let list = propertyList(path + "/VersionInfo.plist")
        else { return nil }
        let information = VersionInformation(list)
        for (name, hashes) in information.hashes.sorted(by: { Self.precedes($0.key, $1.key) }) {
            knownHashes.append(
                KnownModelHashes(
                    versionName: name, bundlePath: path, hashes: hashes, checksum: information.checksums[name]))
        }
        return information
    }

    private mutating func propertyList(_ path: String) -> PropertyListDictionary? {
        let source: SourceText
        do {
            source = try SourceText(path: path, maximumSize: Self.maximumPropertyListSize)
        } catch {
            warnings.append(ModelWarning(.unreadablePropertyList(error.sentence), path: path))
            return nil
        }
        do {
            if let dictionary = try PropertyListReader.value(from: source.bytes).dictionary { return dictionary }
            warnings.append(ModelWarning(.unreadablePropertyList("it is not a dictionary"), path: path))
        } catch {
            warnings.append(ModelWarning(.unreadablePropertyList("\(error)"), path: path))
        }
        return nil
    }
}

extension ModelFinder {
    private static func entries(of folder: String) throws(DocumentError) -> [FolderListing.Entry] {
        // Without extensions, so that `Person` sorts before `Person 2`.
        try FolderListing(path: folder).entries.sorted { left, right in
            let (name, other) = (withoutExtension(left.name), withoutExtension(right.name))
            return name == other ? left.name < right.name : precedes(name, other)
        }
    }

    /// Returns a folder; members that are neither files nor folders are not part of a model.
    private static func item(_ path: String, _ name: String, _ entries: [FolderListing.Entry]) -> ModelForm.Item {
        ModelForm.Item(path: path, name: name, members: Set(entries.filter { $0.kind != .other }.map(\.name)))
    }

    /// Returns whether a folder with this name is a bundle or a version.
    static func isModelName(_ path: String) -> Bool {
        [".xcdatamodeld", ".xcdatamodel", ".momd"].contains(where: path.hasSuffix)
    }

    private static func lastPart(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }

    private static func withoutExtension(_ name: String) -> String {
        guard let point = name.lastIndex(of: "."), point > name.startIndex else { return name }
        return String(name[..<point])
    }

    /// Returns whether a name sorts before another, with numbers compared as numbers: `Model 10` follows `Model 9`.
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (Array(left.utf8)[...], Array(right.utf8)[...])
        while let first = left.first, let second = right.first {
            let digits = left.prefix { (0x30...0x39).contains($0) }
            let otherDigits = right.prefix { (0x30...0x39).contains($0) }
            if digits.isEmpty || otherDigits.isEmpty {
                if first != second { return first < second }
                left.removeFirst()
                right.removeFirst()
                continue
            }
            let (number, other) = (digits.drop { $0 == 0x30 }, otherDigits.drop { $0 == 0x30 })
            if number.count != other.count { return number.count < other.count }
            if !number.elementsEqual(other) { return number.lexicographicallyPrecedes(other) }
            if digits.count != otherDigits.count { return digits.count < otherDigits.count }
            left.removeFirst(digits.count)
            right.removeFirst(otherDigits.count)
        }
        return left.isEmpty && !right.isEmpty
    }
}
