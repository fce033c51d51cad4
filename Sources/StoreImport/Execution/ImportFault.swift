/// A rule that a record breaks, with the number that Cocoa uses for it.
struct ImportFault: Error {
    let code: Int
    let message: String
}
