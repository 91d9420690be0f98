/// The output of `keyflight` alone.
enum Tour {
    static let text = """
        keyflight demo                                   capture, trace, replay and statistics on bundled data
        keyflight import usb.pcap -o my.keyflight        a capture becomes a trace; typed text is masked
        keyflight info my.keyflight                      one screen of facts, loss first
        keyflight stats my.keyflight --scene app.scene.yaml       calls, caches and stages of every press
        keyflight explain my.keyflight --scene app.scene.yaml '⌘W' --last      one press: who got it, and why

        """
}
