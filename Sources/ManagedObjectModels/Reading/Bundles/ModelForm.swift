/// A form in which a version of a model lies in a folder: how it is recognised and how it is read.
///
/// Another form is added by a value of this type in `all`; finding, naming and choosing versions do not change.
struct ModelForm: Sendable {
    /// What lies at a path.
    struct Item: Sendable {
        let path: String
        /// The last part of the path.
        let name: String
        /// What a folder holds; nil for a file.
        let members: Set<String>?
    }

    /// What a version in this form is called: `Person 2` for `Person 2.xcdatamodel`.
    struct Recognised: Sendable {
        let versionName: String
        /// The path that `read` gets.
        let documentPath: String
    }

    /// The version that lies at a path; nil if nothing of this form does.
    let recognise: @Sendable (Item) -> Recognised?

    let read: @Sendable (String) throws(ModelError) -> ModelDocument

    /// The forms in the order in which they are tried.
    static let all: [ModelForm] = [contents, xcode3, compiled]

    /// What is missing where something has the name of a version; nil if it has the name of nothing.
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

    /// The compiled form: a file `NAME.mom`. The optimised copies (`.omo`) beside it say nothing more and are not read.
    static let compiled = ModelForm(
        recognise: { item in
            guard item.members == nil, item.name.hasSuffix(".mom") else { return nil }
            return Recognised(versionName: String(item.name.dropLast(".mom".count)), documentPath: item.path)
        },
        read: { (path) throws(ModelError) in try CompiledModelReader.read(path: path) })
}
