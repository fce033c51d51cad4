/// A rule that a record breaks, with Cocoa's number.
struct ImportFault: Error {
    let code: Int
    let message: String
}
