/// The declarations of one source file.
struct SwiftFileDeclarations: Sendable {
    var types: [SwiftTypeDeclaration] = []
    var aliases: [SwiftTypeAlias] = []
    var globals: [SwiftProperty] = []
    var calls: [SwiftSchemaCall] = []
}
