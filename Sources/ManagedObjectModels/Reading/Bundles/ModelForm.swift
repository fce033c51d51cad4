/// A form of a version of a model in the file system: how it is recognized and how it is read.
///
/// To support another form, add a value of this type to `all`; finding, naming and choosing versions do not change.
struct ModelForm: Sendable {
    /// A file or folder at a path.
    struct Item: Sendable {
        let path: String
        /// The last part of the path.
        let name: String
        /// The names in a folder; nil for a file.
        let members: Set<String>?
    }

    /// The name of a version in this form: `Person 2` for `Person 2.xcdatamodel`.
    struct Recognised: Sendable {
        let versionName: String
        /// The path that is passed to `read`.
        let documentPath: String
    }

    /// Returns the version at a path; nil if it does not have this form.
    let recognise: @Sendable (Item) -> Recognised?

    let read: @Sendable (String) throws(ModelError) -> ModelDocument

    /// The forms in the order in which they are tried.
    static let all: [ModelForm] = [contents, xcode3, compiled]

    /// Returns what is missing from something that is named like a version; nil if it is not named like one.
    static func missingPart(of item: Item) -> String? {
        if item.members != nil, item.name.hasSuffix(".xcdatamodel") { return "file contents" }
        return item.members != nil && item.name.hasSuffix(".mom") ? "compiled model" : nil
    }

    /// Xcode's source form since Xcode 4: a folder `NAME.xcdatamodel` with a file `contents`.
    static let contents = ModelForm(
        recognise: { item in
            guard item.members?.contains("contents") == true, item.name.hasSuffix(".xcdatamodel") else { return nil }
            return Recognised(
                versionName: String(item.name.dropLast(".xcdatamodel".count)), documentPath: item.path + "/contents")
        },
        read: { (path) throws(ModelError) in try ModelContentsReader.read(path: path) })

    /// Xcode 3's source form: a folder `NAME.xcdatamodel` with a file `elements`.
    static let xcode3 = ModelForm(
        recognise: { item in
            guard item.members?.contains("elements") == true, item.name.hasSuffix(".xcdatamodel") else { return nil }
            return Recognised(
                versionName: String(item.name.dropLast(".xcdatamodel".count)), documentPath: item.path + "/elements")
        },
        read: { (path) throws(ModelError) in try Xcode3ModelReader.read(path: path) })

    /// The compiled form: a file `NAME.mom`. The optimized copies (`.omo`) beside it contain nothing more and are not
    /// read.
    static let compiled = ModelForm(
        recognise: { item in
            guard item.members == nil, item.name.hasSuffix(".mom") else { return nil }
            return Recognised(versionName: String(item.name.dropLast(".mom".count)), documentPath: item.path)
        },
        read: { (path) throws(ModelError) in try CompiledModelReader.read(path: path) })
}
